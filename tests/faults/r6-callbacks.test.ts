import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, vi } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Gateway } from "@/lib/gateways/gateway";
import { noteOf, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { answerChallenge } from "@/lib/gateways/sandbox/challenge";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { type Attempt, beginAttempt, settle } from "@/lib/ledger/attempt";
import { checkBooks } from "@/lib/ledger/books";
import { beginRefund, performRefund } from "@/lib/ledger/refund";
import { aboutLink } from "@/tests/support/about";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { makeLink } from "@/tests/support/payer-rows";
import { asOwner } from "@/tests/support/postgres";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { between, random, shuffle } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  await asOwner(...stage);
});
afterAll(() => rig?.stop());

/**
 * Only callbacks may change state here: a trigger drops the sandbox's own callbacks, attempts are too young for the sweep, and
 * no balance is imported, because that finds the charges too. Triggers record every change, including changes of final payments.
 */
const stage = [
  `CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ON sandbox_callback FOR EACH ROW EXECUTE FUNCTION drop_row()`,
  `CREATE TRIGGER stage BEFORE INSERT ON balance_import FOR EACH ROW EXECUTE FUNCTION drop_row()`,
  `CREATE FUNCTION born_tomorrow() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN NEW.started_at := clock_timestamp() + interval '1 day'; RETURN NEW; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION born_tomorrow()`,
  `CREATE TRIGGER stage BEFORE INSERT ON refund FOR EACH ROW EXECUTE FUNCTION born_tomorrow()`,
  `CREATE TABLE regression (business_id int, id text)`,
  `GRANT ALL ON regression TO paydesk_app`,
  `CREATE FUNCTION record() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN INSERT INTO regression VALUES (NEW.business_id, NEW.id); RETURN NULL; END $$`,
  `CREATE TRIGGER regression AFTER UPDATE ON payment FOR EACH ROW
     WHEN (OLD.status IN ('succeeded', 'failed') AND
           (OLD.status, OLD.reason, OLD.gateway_ref, OLD.settled_at, OLD.receipt_token, OLD.fee_cents) IS DISTINCT FROM
           (NEW.status, NEW.reason, NEW.gateway_ref, NEW.settled_at, NEW.receipt_token, NEW.fee_cents))
     EXECUTE FUNCTION record()`,
  `CREATE TRIGGER regression AFTER UPDATE ON refund FOR EACH ROW
     WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN
           (('pending', 'succeeded'), ('pending', 'failed'), ('succeeded', 'failed')))
     EXECUTE FUNCTION record()`,
];

const good = "4242424242424242";

/** Outcomes of a payment at the sandbox. `refund`: how its refunds are created. */
const fates = [
  { number: good },
  { number: "4000000000000002" },
  { number: "4000000000003220", answer: true },
  { number: "4000000000003220", answer: false },
  { number: "4000000000003220" },
  { number: "4000000000005043" },
  { number: "4000000000005050" },
  { number: "4000000000005001" },
  { number: good, refund: "ours" },
  { number: "4000000000007726", refund: "ours" },
  { number: "4000000000005126", refund: "ours" },
  { number: "4000000000005092", refund: "ours" },
  { number: good, refund: "reply lost" },
  { number: good, refund: "made elsewhere" },
] as const;
type Fate = { number: string; answer?: boolean; refund?: "ours" | "reply lost" | "made elsewhere" };

interface Made {
  attempt: Attempt;
  fate: Fate;
  ref: string | null;
}

interface Scene {
  businessId: number;
  gateway: Gateway;
}

interface Plan {
  fate: Fate;
  /** Whether the ledger got the reply; if not, only a callback can settle the payment. */
  gotReply: boolean;
  amount_cents: number;
}

async function makePayment({ businessId, gateway }: Scene, { fate, gotReply, amount_cents }: Plan): Promise<Made> {
  const link = await makeLink(businessId, { amount_cents });
  const shown = { amountCents: link.amount_cents, currency: link.currency };
  const attempt = await beginAttempt({ id: newId("pay"), linkId: link.id, shown, gateway, tokenizationId: null });
  if (!attempt) throw new Error("the attempt did not begin");
  const { gatewayKey, startedAt } = attempt;
  const card = { number: fate.number, cvc: "123", expMonth: 12, expYear: 2040 };
  const words = { merchant: "Shop", title: link.title, email: link.email, returnPath: "/pay" } as const;
  const about = aboutLink(link.id);
  const result = await gateway.pay({ gatewayKey, startedAt, ...shown, card, about, ...words }).catch(() => null);
  // Only a succeeded payment can be refunded.
  if (result && (gotReply || fate.refund)) await settle(attempt, result);
  const ref = result?.ref ?? null;
  if (fate.refund && ref) await makeRefunds(gateway, attempt, ref, shown.amountCents, fate.refund);
  return { attempt, fate, ref };
}

async function makeRefunds(
  gateway: Gateway,
  { id: paymentId, startedAt }: Attempt,
  chargeRef: string,
  paid: number,
  how: Fate["refund"],
): Promise<void> {
  for (const amountCents of [Math.floor(paid / 3), Math.floor(paid / 4)]) {
    const id = newId("ref");
    if (how !== "made elsewhere") await beginRefund({ id, paymentId, amountCents, reason: null });
    if (how === "ours") await performRefund(id);
    else await gateway.refund({ gatewayKey: id, startedAt, chargeRef, amountCents, currency: "EUR" });
  }
}

const statuses = {
  charge: ["processing", "requires_action", "succeeded", "failed"],
  refund: ["pending", "succeeded", "failed"],
} as const;

/** A callback of the sandbox about a payment, with arbitrary content. */
function anything({ attempt }: Made, next: () => number): string {
  const about = next() < 0.6 ? "charge" : "refund";
  const status = statuses[about][between(next, 0, statuses[about].length - 1)] ?? "succeeded";
  return noteOf(about, attempt.gatewayKey, status, new Date(Date.now() + between(next, -3_600_000, 600_000))).body;
}

interface Post {
  body: string;
  headers: Record<string, string>;
  to: string;
  /** The expected response. */
  status: number;
}

/** Sends a callback, again after each 503, as a gateway does. @returns the violation in the response, or null */
async function post({ body, headers, to, status }: Post, retries = 5): Promise<string | null> {
  const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${to}`;
  const answer = await fetch(address, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status === status) return null;
  if (answer.status !== 503 || retries === 0) return `${answer.status} where ${status} was due: ${text.slice(0, 200)}`;
  await sleep(Number(answer.headers.get("retry-after")) * 1_000);
  return post({ body, headers, to, status }, retries - 1);
}

/**
 * Callbacks about open payments that the sandbox did not send to this account. Signed when sent, because signatures
 * expire.
 */
function forgeries(victims: Made[], account: string, stranger: string, count: number, next: () => number) {
  const good = (body: string) => signCallback(account, body);
  const changed = (name: string, change: (value: string) => string) => (body: string) => {
    const headers = good(body);
    return { ...headers, [name]: change(headers[name] ?? "") };
  };
  const old = (body: string) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 6 * 60_000 });
    const headers = good(body);
    vi.useRealTimers();
    return headers;
  };
  const refused = { to: account, status: 400 };
  const forms: ((body: string) => Post)[] = [
    (body) => ({ ...refused, body, headers: old(body) }),
    (body) => ({ ...refused, body, headers: { "content-type": "application/json" } }),
    (body) => ({ ...refused, body, headers: signCallback(stranger, body) }),
    (body) => ({ ...refused, body: `${body} `, headers: good(body) }),
    (body) => ({ ...refused, body, to: "0", headers: signCallback("0", body) }),
    (body) => ({
      ...refused,
      body,
      headers: changed("webhook-signature", (value) => `${value.slice(0, -4)}AAA=`)(body),
    }),
    (body) => ({ ...refused, body, headers: changed("webhook-timestamp", (value) => String(Number(value) - 1))(body) }),
    // Another account's own callback about a payment of this account: accepted, but nothing is looked up.
    (body) => ({ body, to: stranger, headers: signCallback(stranger, body), status: 200 }),
  ];
  return Array.from({ length: count }, (_, i) => {
    const victim = victims[i % victims.length];
    const form = forms[i % forms.length];
    if (!victim || !form) throw new Error("there is no payment to forge callbacks for");
    const body = anything(victim, next);
    return () => form(body);
  });
}

/** Advances the sandbox and answers the challenges, so that every charge that can be decided is decided. */
async function decide(account: string, made: Made[]): Promise<void> {
  for (const { fate, ref } of made) if (fate.answer !== undefined && ref) await answerChallenge(ref, fate.answer);
  await db.$executeRaw`UPDATE sandbox_charge SET settles_at = now() WHERE settles_at > now() AND account = ${account}`;
  await db.$executeRaw`UPDATE sandbox_refund SET settles_at = now() WHERE settles_at > now() AND charge_ref IN (
    SELECT ref FROM sandbox_charge WHERE account = ${account})`;
}

const ours = {
  succeeded: "succeeded",
  declined: "failed",
  pending: "unknown",
  action: "requires_action",
  absent: "sending",
};

/** Counts payments whose state, refunds or sums differ from the sandbox's. */
async function compare({ gateway, businessId }: Scene, made: Made[]): Promise<Record<string, number>> {
  const wrong = {
    "payments that differ": 0,
    "refunds that differ": 0,
    "sums that differ": 0,
  };
  const sums = { paid: 0, refunded: 0, fees: 0 };
  for (const { attempt } of made) {
    const row = await db.payment.findUniqueOrThrow({ where: { id: attempt.id }, include: { refunds: true } });
    const money = { amountCents: row.amount_cents, currency: row.currency };
    const atGateway = await gateway.lookup({
      ...money,
      gatewayKey: row.gateway_key,
      ref: null,
      startedAt: row.started_at,
      cardRef: null,
    });
    const reason = atGateway.outcome === "declined" ? atGateway.reason : null;
    const fee = atGateway.outcome === "succeeded" ? (atGateway.booked?.feeCents ?? null) : null;
    if (row.status !== ours[atGateway.outcome] || row.reason !== reason || row.fee_cents !== fee)
      wrong["payments that differ"]++;
    if (atGateway.outcome !== "succeeded") continue;
    sums.paid += row.amount_cents;
    sums.fees += fee ?? 0;
    const refunds = await gateway.refundsOf(atGateway.ref);
    for (const refund of refunds) {
      const own = row.refunds.find(({ gateway_ref }) => gateway_ref === refund.ref);
      if (own?.status !== refund.status || own.amount_cents !== refund.amountCents) wrong["refunds that differ"]++;
      if (refund.status !== "succeeded") continue;
      sums.refunded += refund.amountCents;
    }
    wrong["refunds that differ"] += Math.abs(row.refunds.length - refunds.length);
  }
  const { sums: books, imbalances } = await checkBooks();
  const own = books.find(({ business_id }) => business_id === businessId);
  for (const what of ["paid", "refunded", "fees"] as const) if (own?.[what] !== sums[what]) wrong["sums that differ"]++;
  return { ...wrong, "imbalances in the books": imbalances.length };
}

/** @param events a multiple of `payments`, which is a multiple of the number of fates */
async function run(events: number, payments: number): Promise<Outcome> {
  const [{ businessId }, stranger] = await Promise.all([createMerchant(), createMerchant("Another shop")]);
  const account = String(businessId);
  const scene = { businessId, gateway: sandbox(account) };
  const next = random();
  const plan = (fate: Fate, gotReply: boolean): Plan => ({
    fate,
    gotReply,
    amount_cents: between(next, 1_000, 99_999),
  });
  const rounds = Array.from({ length: payments / fates.length }, (_, i) =>
    fates.map((fate) => plan(fate, i % 2 === 0)),
  );
  const made = await mapConcurrently(4, rounds.flat(), (one) => makePayment(scene, one));
  // Paid at the sandbox; only forged callbacks mention them.
  const unannounced = Array.from({ length: 10 }, () => plan(fates[0], false));
  const victims = await mapConcurrently(4, unannounced, (one) => makePayment(scene, one));

  const signed = (body: string): Post => ({ body, to: account, headers: signCallback(account, body), status: 200 });
  const threeTimes = (bodies: string[]) => bodies.flatMap((body) => [body, body, body]);
  const bodies = Array.from({ length: events / payments }, () => made.map((one) => anything(one, next))).flat();
  const copies = shuffle(threeTimes(bodies), next);
  const before = Math.floor(copies.length * 0.6);
  const violations: string[] = [];
  let refused = 0;
  const send = async (genuine: string[]) => {
    const forged = forgeries(victims, account, String(stranger.businessId), Math.ceil(genuine.length / 20), next);
    const posts = shuffle([...genuine.map((body) => () => signed(body)), ...forged], next);
    const wrongs = await mapConcurrently(16, posts, (make) => post(make()));
    violations.push(...wrongs.filter((one) => one !== null));
    refused += forged.length;
  };
  await send(copies.slice(0, before));
  await decide(account, made);
  // One more callback for each payment, so that every final state has been announced.
  const last = made.flatMap(({ attempt: { gatewayKey }, fate }) => [
    noteOf("charge", gatewayKey, "succeeded", new Date()).body,
    ...(fate.refund ? [noteOf("refund", gatewayKey, "succeeded", new Date()).body] : []),
  ]);
  await send([...copies.slice(before), ...threeTimes(last)]);

  const wrong = await compare(scene, made);
  const untouched = await db.payment.count({
    where: { id: { in: victims.map(({ attempt }) => attempt.id) }, status: "sending", gateway_ref: null },
  });
  const [regressions] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM regression WHERE business_id = ${businessId}`;
  const posted = (copies.length + last.length * 3).toLocaleString("en");
  return {
    done: [`${posted} callbacks about ${payments} payments, and ${refused.toLocaleString("en")} forged ones`]
      .concat(violations.slice(0, 5))
      .join("; "),
    wrong: {
      regressions: regressions?.count ?? 0,
      ...wrong,
      "payments changed by forged callbacks": victims.length - untouched,
      "wrong responses": violations.length,
    },
  };
}

const written = `if (read.success && JSON.parse(body).type.startsWith("charge.")) {
        const said = JSON.parse(body).data.status;
        const status = said === "processing" ? "unknown" : said;
        await queryRows(db, Prisma.sql\`
          UPDATE payment SET status = \${status}, settled_at = now(),
                 reason = CASE WHEN \${status} = 'failed' THEN 'card_declined' END,
                 receipt_token = CASE WHEN \${status} = 'succeeded' THEN rpad(id, 43, 'x') END
           WHERE gateway_key = \${read.data.data.gateway_key}\`);
      }
      return read.success ? {`;

fault({
  id: "R6",
  title: "repeated, reordered and forged callbacks",
  minutes: 15,
  run: () => (full ? run(10_080, 504) : run(140, 28)),
  control: {
    without: "asking the gateway: the callback's own status is stored",
    mutations: [{ file: "lib/gateways/sandbox/callbacks.ts", find: "return read.success ? {", replace: written }],
    run: async (mutations) => {
      await rig.weaken("r6", mutations);
      return run(140, 28);
    },
  },
});
