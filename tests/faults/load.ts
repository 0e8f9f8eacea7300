import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { plantSession, testPasswordHash } from "@/tests/support/session";
import { full } from "./fault";
import { age, settled } from "./judge";
import { between } from "./seeded";

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Answered extends Answer {
  kind: string;
  ms: number;
  /** performance.now() when it was there. */
  at: number;
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/**
 * Callers of all kinds, each with one request after the other: merchants' systems, payers, staff.
 * @param kinds those of `requests` that the callers send; all by default
 * @param firstPauseMs a caller's pause between two requests, until `pace` changes it
 */
export async function startLoad(callers: number, next: () => number, kinds?: Kind[], firstPauseMs = 0) {
  const { businessId, key } = await createMerchant();
  const name = "Ada Lovelace";
  const email = `${randomUUID()}@example.com`;
  const user = { id: newId("usr"), email, name, password_hash: await testPasswordHash() };
  await db.user.create({
    data: { ...user, memberships: { create: { business_id: businessId, role: "owner" } } },
    select: { id: true },
  });
  const cookie = await plantSession(user.id, businessId);
  const headers = { Cookie: `${cookie.name}=${cookie.value}` };
  /** What was acknowledged: it must be there in the end. */
  const created: string[] = [];
  const unpaid: string[] = [];
  const paid: string[] = [];
  const answers: Answered[] = [];
  const failures: string[] = [];
  let goesOn = true;
  let pauseMs = firstPauseMs;

  const body = (reference: string) => ({ email, currency: "EUR", amount: "1050", title: "Order 1001", reference });
  const someLink = () => created[between(next, 0, created.length - 1)] ?? "";
  async function read(path: string): Promise<Answer> {
    const response = await fetch(`${baseUrl()}${path}`, { headers, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
  async function create(headers = {}): Promise<Answer> {
    const reply = await call("POST", "/payment-links", { key, body: body(randomUUID().slice(0, 20)), headers });
    if (reply.status === 200) created.push(reply.json.data._id);
    if (reply.status === 200) unpaid.push(reply.json.data._id);
    return reply;
  }
  /** Pays each link at most once. */
  async function pay(): Promise<Answer> {
    const id = unpaid.pop();
    if (!id) return create();
    const landing = await postPayment(id, 1050, "EUR");
    if (landing.location.startsWith("/thank-you")) paid.push(id);
    return landing;
  }
  const requests = {
    create,
    "create with a key": () => create({ "Idempotency-Key": randomUUID() }),
    pay,
    get: () => call("GET", `/payment-links/${someLink()}`, { key }),
    list: () => call("GET", "/payment-links?with_total=true", { key }),
    packages: () => call("GET", "/packages", { key }),
    "list as staff": () => read("/api/payment-links"),
    "page of a link": () => read(`/pay?id=${someLink()}`),
    dashboard: () => read("/payment-links"),
  };
  const wanted = kinds ?? (Object.keys(requests) as Kind[]);

  async function ask(kind: Kind): Promise<void> {
    const begun = performance.now();
    try {
      const answer = await withLimit(requests[kind]());
      const at = performance.now();
      answers.push({ ...answer, kind, ms: at - begun, at });
    } catch (error) {
      failures.push(failureOf(kind, error));
    }
  }
  await create();
  await create();
  await Promise.all(wanted.map(ask)); // what is loaded or connected at the first request
  answers.length = 0;
  const running = Array.from({ length: callers }, async () => {
    while (goesOn) {
      await ask(wanted[between(next, 0, wanted.length - 1)] as Kind);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  });

  return {
    businessId,
    key,
    answers,
    /** Requests without an answer. */
    failures,
    paid,
    /** Changes the pause of each caller between two requests. */
    pace(ms: number): void {
      pauseMs = ms;
    },
    async stop(): Promise<void> {
      goesOn = false;
      await Promise.all(running);
    },
    /** How many acknowledged writes are not in the database. */
    async lost(): Promise<number> {
      const links = await db.paymentLink.findMany({
        where: { business_id: businessId },
        select: { id: true, status: true },
      });
      const statuses = new Map(links.map(({ id, status }) => [id, status]));
      const missing = created.filter((id) => !statuses.has(id));
      return missing.length + paid.filter((id) => statuses.get(id) !== "Paid").length;
    },
  };
}

/** Waits until no payment of the load is open. The short run makes them older instead of waiting for the product's delays. */
export async function settledLoad(businessId: number): Promise<void> {
  const older = full ? undefined : setInterval(() => void age(businessId).catch(() => undefined), 500);
  try {
    await settled(businessId, 120);
  } finally {
    clearInterval(older);
  }
}

/** fetch's own message tells an answer that was cut ("terminated") from one that never began ("fetch failed"). */
export const failureOf = (kind: string, error: unknown): string => {
  const { message, cause } = error as Error;
  return `${kind}: ${message}${cause ? `: ${cause}` : ""}`;
};

/** After this time without an answer, a caller sends its next request. The short run shares its processors with other tests. */
const answerLimitMs = full ? 8_000 : 60_000;

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), answerLimitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

export type Kind =
  | "create"
  | "create with a key"
  | "pay"
  | "get"
  | "list"
  | "packages"
  | "list as staff"
  | "page of a link"
  | "dashboard";

/** Violations in answers: neither done nor refused with a time to try again. */
export function wrongAnswers(answers: Answered[]): Record<string, number> {
  const refused = answers.filter(({ status }) => status === 503);
  const other = answers.filter(({ status }) => status !== 503 && status >= 400);
  for (const { kind, status, text } of other.slice(0, 5)) console.error(`${kind}: ${status} ${text.slice(0, 300)}`);
  return {
    "answers neither 2xx, 3xx nor 503": other.length,
    "503 without Retry-After": refused.filter(({ headers }) => !headers.get("retry-after")).length,
  };
}
