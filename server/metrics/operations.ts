import type { Registry } from "prom-client";
import { isDatabaseAway } from "@/lib/core/database-error";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { addObserver, type Observer, type Operation } from "@/lib/core/observe";
import { KeyRefused } from "@/lib/gateways/gateway";
import { sentOutcomes } from "@/lib/outbox/mail/smtp";
import { templateNames } from "@/lib/resources/emails/templates";
import type { PromClient } from "./library";

const sqlStates: Record<string, string> = {
  "40P01": "deadlock",
  "40001": "serialization",
  "55P03": "lock_timeout",
  "57014": "statement_timeout",
};

/** Why a transaction was rolled back. `refused`: our own rules, such as a 409. `constraint`: a concurrent write was first, mostly. */
function kindOfFailure(error: unknown): string {
  if (error instanceof ApiError || error instanceof ValidationError) return "refused";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (sqlStates[code]) return sqlStates[code];
  if (code.startsWith("23") || code === "P2002" || code === "P2003") return "constraint";
  return isDatabaseAway(error) ? "away" : "other";
}

const failureKinds = [...Object.values(sqlStates), "refused", "constraint", "away", "other"];

interface Ended {
  operation: Operation;
  seconds: number;
  outcome: string;
  error?: unknown;
}

/** Counts transactions that fail, calls of gateways, jobs, polls, attempts of webhooks, and mails. @returns stops it */
export function countOperations(client: PromClient, registry: Registry): () => void {
  const note = meters(client, registry);
  const observer: Observer = async (operation, work, outcomeOf) => {
    const started = performance.now();
    const secondsSince = () => (performance.now() - started) / 1_000;
    try {
      const result = await work();
      note({ operation, seconds: secondsSince(), outcome: outcomeOf?.(result) ?? "ok" });
      return result;
    } catch (error) {
      note({ operation, seconds: secondsSince(), outcome: error instanceof KeyRefused ? "refused" : "failed", error });
      throw error;
    }
  };
  return addObserver(observer);
}

function meters({ Counter, Gauge, Histogram }: PromClient, registry: Registry): (ended: Ended) => void {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const transactions = counter("paydesk_database_transactions_failed_total", "Transactions rolled back, by reason.", [
    "kind",
  ]);
  for (const kind of failureKinds) transactions.inc({ kind }, 0);
  const calls = counter("paydesk_gateway_calls_total", "Requests to gateways, by outcome.", [
    ...(["gateway", "call", "outcome"] as const),
  ]);
  const callSeconds = histogram(
    "paydesk_gateway_call_duration_seconds",
    "Duration of requests to gateways.",
    ["gateway", "call"],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  );
  const jobs = counter("paydesk_job_runs_total", "Runs of the queue's jobs.", ["job", "outcome"]);
  const jobSeconds = histogram(
    "paydesk_job_duration_seconds",
    "Duration of the queue's jobs.",
    ["job"],
    [0.01, 0.05, 0.25, 1, 5, 30, 120],
  );
  const polls = counter("paydesk_poll_runs_total", "Runs of the worker's regular work.", ["poll", "outcome"]);
  const polledAt = new Gauge({
    name: "paydesk_poll_succeeded_timestamp_seconds",
    help: "When the regular work last ended without an error; if it only failed so far, when the process started.",
    labelNames: ["poll"],
    registers,
  });
  const startedAt = Date.now() / 1_000;
  const seenPolls = new Set<string>();
  const attempts = counter("paydesk_webhook_attempts_total", "Attempts to deliver an event.", ["outcome"]);
  for (const outcome of ["delivered", "refused", "unreachable"]) attempts.inc({ outcome }, 0);
  const attemptSeconds = histogram(
    "paydesk_webhook_attempt_duration_seconds",
    "Duration of attempts to deliver an event.",
    [],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  );
  const mails = counter("paydesk_mails_total", "Attempts to send mails, by outcome.", ["template", "outcome"]);
  for (const template of templateNames) for (const outcome of sentOutcomes) mails.inc({ template, outcome }, 0);
  const mailServerWorkedAt = new Gauge({
    name: "paydesk_mail_server_worked_timestamp_seconds",
    help: "When the mail server last took a mail of this process, or refused one for its recipient or content; 0 if never.",
    registers,
  });
  const mailServerFailedAt = new Gauge({
    name: "paydesk_mail_server_failed_timestamp_seconds",
    help: "When the mail server last was down or denied this process; 0 if never.",
    registers,
  });

  return ({ operation: { kind, name }, seconds, outcome, error }) => {
    if (kind === "transaction" && error !== undefined) transactions.inc({ kind: kindOfFailure(error) });
    if (kind === "gateway_call") {
      const [gateway = "", call = ""] = name.split(" ");
      calls.inc({ gateway, call, outcome });
      callSeconds.observe({ gateway, call }, seconds);
    }
    if (kind === "job") {
      jobs.inc({ job: name, outcome });
      jobSeconds.observe({ job: name }, seconds);
    }
    if (kind === "poll") {
      polls.inc({ poll: name, outcome });
      if (error === undefined) polledAt.set({ poll: name }, Date.now() / 1_000);
      // Without a series no alert fires for work that has never succeeded.
      else if (!seenPolls.has(name)) polledAt.set({ poll: name }, startedAt);
      seenPolls.add(name);
    }
    if (kind === "webhook") {
      attempts.inc({ outcome });
      attemptSeconds.observe(seconds);
    }
    if (kind === "mail") {
      mails.inc({ template: name, outcome });
      if (outcome === "sent" || outcome === "refused") mailServerWorkedAt.setToCurrentTime();
      if (outcome === "down" || outcome === "denied") mailServerFailedAt.setToCurrentTime();
    }
  };
}
