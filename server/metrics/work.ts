import type { Registry } from "prom-client";
import { log } from "@/lib/core/log";
import { taskNames } from "@/lib/outbox/jobs";
import { findHold } from "@/server/hold";
import {
  countAccounts,
  countDeliveries,
  countDueCharges,
  countEndpoints,
  countJobs,
  countMails,
  countOpenMoney,
  readBackup,
  readBooks,
  readLags,
} from "./figures";
import type { PromClient } from "./library";

const refreshMs = 15_000;

/**
 * A figure that could not be read for so many refreshes, five minutes, is withdrawn: that of another worker then decides. Without another
 * one, PaydeskWorkerStuck fires by then.
 */
const maxMissed = 20;

type Labels = Record<string, string>;
type Series = [labels: Labels, value: number];

interface Figures {
  /** Each reads figures from the database into their gauges. */
  readers: (() => Promise<void>)[];
  /** Removes the series of figures that were last read before this time in milliseconds. The next read makes them again. */
  withdraw(before: number): void;
}

const modes = ["live", "test"] as const;

/**
 * What waits for the worker, and what needs an operator. A timer reads it from the database; a scrape gets the last values, so
 * that scrapes cost the database nothing.
 * @param pauseMs between two refreshes
 * @returns stops it
 */
export function measureWork(client: PromClient, registry: Registry, pauseMs = refreshMs): () => Promise<void> {
  const { readers, withdraw } = figuresOf(client, registry);
  const { readAt, failures } = aboutReading(client, registry);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const refresh = async () => {
    try {
      for (const read of readers) if (!stopped) await read();
      readAt.set(Date.now() / 1_000);
    } catch (err) {
      failures.inc();
      withdraw(Date.now() - maxMissed * pauseMs);
      log.warn({ err }, "the figures of the metrics could not be read; will try again");
    }
    if (!stopped)
      timer = setTimeout(() => {
        running = refresh();
      }, pauseMs);
  };
  running = refresh();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

const aboutReading = ({ Counter, Gauge }: PromClient, registry: Registry) => ({
  readAt: new Gauge({
    name: "paydesk_figures_read_timestamp_seconds",
    help: "When the worker last read the figures of its work from the database.",
    registers: [registry],
  }),
  failures: new Counter({
    name: "paydesk_figures_read_failures_total",
    help: "How often the figures could not be read.",
    registers: [registry],
  }),
});

function figuresOf({ Gauge }: PromClient, registry: Registry): Figures {
  const withdrawals: ((before: number) => void)[] = [];
  /** A gauge whose series, once seen, go back to 0 instead of vanishing: rules then see that a backlog has ended. */
  const gauge = (name: string, help: string, labelNames: string[], known: Labels[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    const seen = new Map<string, Labels>(known.map((labels) => [JSON.stringify(labels), labels]));
    for (const labels of known) made.set(labels, 0);
    let readAt = Date.now();
    withdrawals.push((before) => {
      if (readAt < before) for (const labels of seen.values()) made.remove(labels);
    });
    return (series: Series[]) => {
      readAt = Date.now();
      const given = new Set<string>();
      for (const [labels, value] of series) {
        const key = JSON.stringify(labels);
        seen.set(key, labels);
        given.add(key);
        made.set(labels, value);
      }
      for (const [key, labels] of seen) if (!given.has(key)) made.set(labels, 0);
    };
  };
  const eachMode = (labels: Labels[]) => labels.flatMap((one) => modes.map((mode) => ({ ...one, mode })));
  const states = (...names: string[]) => eachMode(names.map((state) => ({ state })));

  const waiting = (labels: Labels, due: number, later: number): Series[] => [
    [{ state: "due", ...labels }, due],
    [{ state: "later", ...labels }, later],
  ];

  const tasks = taskNames.map((job) => ({ job }));
  const jobStates = ["due", "running", "later", "given_up"];
  const jobs = gauge(
    "paydesk_jobs",
    "Jobs of the queue, by state.",
    ["job", "state"],
    tasks.flatMap(({ job }) => jobStates.map((state) => ({ job, state }))),
  );
  const jobAge = gauge("paydesk_job_oldest_due_seconds", "How long the oldest due job has been due.", ["job"], tasks);
  const charges = ["period", "retry"].map((kind) => ({ kind }));
  const due = gauge(
    "paydesk_charges_due",
    "Charges of subscriptions that are due.",
    ["kind", "mode"],
    eachMode(charges),
  );
  const late = gauge(
    "paydesk_charges_late",
    "Charges that have been due for five minutes.",
    ["kind", "mode"],
    eachMode(charges),
  );
  const dueAge = gauge(
    "paydesk_charge_oldest_due_seconds",
    "How long the oldest due charge has been due.",
    ["kind", "mode"],
    eachMode(charges),
  );
  const open = ["unknown_payment", "mismatch", "unknown_charge", "pending_refund"].map((what) => ({ what }));
  const money = gauge("paydesk_money_open", "Money whose outcome is open.", ["what", "mode"], eachMode(open));
  const moneyAge = gauge(
    "paydesk_money_oldest_open_seconds",
    "Age of the oldest open money.",
    ["what", "mode"],
    eachMode(open),
  );
  const deliveries = gauge(
    "paydesk_webhook_deliveries",
    "Deliveries that wait.",
    ["state", "mode"],
    states("due", "later"),
  );
  const deliveryAge = gauge(
    "paydesk_webhook_oldest_undelivered_seconds",
    "Age of the oldest pending delivery.",
    ["mode"],
    eachMode([{}]),
  );
  const audiences = ["staff", "payers"].map((audience) => ({ audience }));
  const mails = gauge(
    "paydesk_mails",
    "Mails that wait to be sent.",
    ["state", "audience"],
    audiences.flatMap((one) => ["due", "later"].map((state) => ({ state, ...one }))),
  );
  const mailAge = gauge(
    "paydesk_mail_oldest_queued_seconds",
    "Age of the oldest queued mail.",
    ["audience"],
    audiences,
  );
  const lag = gauge(
    "paydesk_outbox_lag_seconds",
    "How long the first delivery or mail that no worker has taken has been due. Not of endpoints that fail.",
    ["queue"],
    [{ queue: "webhooks" }, { queue: "mails" }],
  );
  const endpoints = gauge(
    "paydesk_webhook_endpoints",
    "Endpoints, by state.",
    ["state", "mode"],
    states("healthy", "failing", "disabled"),
  );
  const accounts = gauge(
    "paydesk_gateway_accounts",
    "Gateway accounts in use, by state.",
    ["state", "mode"],
    states("connected", "refused", "away", "held"),
  );

  const checkedAt = gauge(
    "paydesk_books_checked_timestamp_seconds",
    "When the command books last checked the whole database; 0 if never.",
    [],
    [{}],
  );
  const differences = gauge(
    "paydesk_books_differences",
    "Mistakes that the last check of the books found, with the differences that the gateways last had.",
    [],
    [{}],
  );

  const backupMadeAt = gauge(
    "paydesk_backup_made_timestamp_seconds",
    "When the command backup began its last backup; 0 if it has made none.",
    [],
    [{}],
  );

  const held = gauge(
    "paydesk_database_held",
    "1 while the database is held after a restore: no worker bills, sends mails or delivers webhooks.",
    [],
    [{}],
  );

  const readers = [
    async () => held([[{}, (await findHold()) ? 1 : 0]]),
    async () => {
      const rows = await readBooks();
      checkedAt(rows.map(({ checked_at }) => [{}, checked_at]));
      differences(rows.map(({ differences }) => [{}, differences]));
    },
    async () => backupMadeAt((await readBackup()).map(({ made_at }) => [{}, made_at])),
    async () => {
      const rows = await countJobs();
      jobs(rows.map(({ job, state, count }) => [{ job, state }, count]));
      jobAge(rows.flatMap(({ job, state, age }) => (state === "due" ? [[{ job }, age]] : [])));
    },
    async () => {
      const rows = await countDueCharges();
      due(rows.map(({ kind, mode, due }) => [{ kind, mode }, due]));
      late(rows.map(({ kind, mode, late }) => [{ kind, mode }, late]));
      dueAge(rows.map(({ kind, mode, age }) => [{ kind, mode }, age]));
    },
    async () => {
      const rows = await countOpenMoney();
      money(rows.map(({ what, mode, count }) => [{ what, mode }, count]));
      moneyAge(rows.map(({ what, mode, age }) => [{ what, mode }, age]));
    },
    async () => {
      const rows = await countDeliveries();
      deliveries(rows.flatMap(({ mode, due, later }) => waiting({ mode }, due, later)));
      deliveryAge(rows.map(({ mode, age }) => [{ mode }, age]));
    },
    async () => {
      const rows = await countMails();
      mails(rows.flatMap(({ audience, due, later }) => waiting({ audience }, due, later)));
      mailAge(rows.map(({ audience, age }) => [{ audience }, age]));
    },
    async () => {
      const rows = await readLags();
      lag(rows.map(({ queue, age }) => [{ queue }, age]));
    },
    async () => {
      const rows = await countEndpoints();
      endpoints(rows.map(({ state, mode, count }) => [{ state, mode }, count]));
    },
    async () => {
      const rows = await countAccounts();
      accounts(rows.map(({ state, mode, count }) => [{ state, mode }, count]));
    },
  ];
  return {
    readers,
    withdraw: (before) => {
      for (const withdrawal of withdrawals) withdrawal(before);
    },
  };
}
