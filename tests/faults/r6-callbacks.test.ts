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
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { makeLink } from "@/tests/support/payer-rows";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { between, random, shuffle } from "./seeded";
import { sideBySide } from "./side-by-side";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  for (const statement of stage) await db.$executeRawUnsafe(statement);
});
afterAll(() => rig?.stop());

/**
 * Callbacks alone are to move things here: what the sandbox itself would send is dropped, and attempts are too young for
 * the sweep. Every move is recorded, and whatever changes of a payment that is final.
 */
const stage = [
  `CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ON sandbox_callback FOR EACH ROW EXECUTE FUNCTION drop_row()`,
  `CREATE FUNCTION born_tomorrow() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN NEW.created_at := clock_timestamp() + interval '1 day'; RETURN NEW; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION born_tomorrow()`,
  `CREATE TRIGGER stage BEFORE INSERT ON refund FOR EACH ROW EXECUTE FUNCTION born_tomorrow()`,
  `CREATE TABLE regression (business_id int, id text)`,
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

/** What becomes of a payment at the sandbox. `refund`: how its refunds come about. */
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
  /** Whether the ledger was told the reply; otherwise only a callback can tell. */
  told: boolean;
  amount_cents: number;
}

async function makePayment({ businessId, gateway }: Scene, { fate, told, amount_cents }: Plan): Promise<Made> {
  const link = await makeLink(businessId, { amount_cents });
  const shown = { amountCents: link.amount_cents, currency: link.currency };
  const attempt = await beginAttempt({ id: newId("pay"), linkId: link.id, shown, gateway, tokenizationId: null });
  if (!attempt) throw new Error("the attempt did not begin");
  const { gatewayKey, startedAt } = attempt;
  const card = { number: fate.number, cvc: "123", expMonth: 12, expYear: 2040 };
  const words = { merchant: "Shop", title: link.title, email: link.email, returnPath: "/pay" } as const;
  const result = await gateway.pay({ gatewayKey, startedAt, ...shown, card, ...words }).catch(() => null);
  // Only of what has succeeded can money be returned.
  if (result && (told || fate.refund)) await settle(attempt, result);
  const ref = result?.ref ?? null;
  if (fate.refund && ref) await makeRefunds(gateway, attempt, ref, shown.amountCents, fate.refund);
  return { attempt, fate, ref };
}

async function makeRefunds(
  gateway: Gateway,
  { id: paymentId }: Attempt,
  chargeRef: string,
  paid: number,
  how: Fate["refund"],
): Promise<void> {
  for (const amountCents of [Math.floor(paid / 3), Math.floor(paid / 4)]) {
    const id = newId("ref");
    if (how !== "made elsewhere") await beginRefund({ id, paymentId, amountCents, reason: null });
    if (how === "ours") await performRefund(id);
    else await gateway.refund({ gatewayKey: id, chargeRef, amountCents, currency: "EUR" });
  }
}

const statuses = {
  charge: ["processing", "requires_action", "succeeded", "failed"],
  refund: ["pending", "succeeded", "failed"],
} as const;

/** A callback of the sandbox's about a payment, whatever it says of it. */
function anything({ attempt }: Made, next: () => number): string {
  const about = next() < 0.6 ? "charge" : "refund";
  const status = statuses[about][between(next, 0, statuses[about].length - 1)] ?? "succeeded";
  return noteOf(about, attempt.gatewayKey, status, new Date(Date.now() + between(next, -3_600_000, 600_000))).body;
}

interface Post {
  body: string;
  headers: Record<string, string>;
  to: string;
  /** What the answer has to be. */
  status: number;
}

/** @returns what was wrong with the answer; null: nothing */
async function post({ body, headers, to, status }: Post): Promise<string | null> {
  const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${to}`;
  const answer = await fetch(address, { method: "POST", headers, body });
  const text = await answer.text();
  return answer.status === status ? null : `${answer.status} where ${status} was due: ${text.slice(0, 200)}`;
}

/** What the sandbox did not send to this account, about payments that are open. Signed when sent: a signature grows old. */
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
  const ways: ((body: string) => Post)[] = [
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
    // A stranger's own callback, about a payment that is not his: it is heard, and nothing is asked.
    (body) => ({ body, to: stranger, headers: signCallback(stranger, body), status: 200 }),
  ];
  return Array.from({ length: count }, (_, i) => {
    const victim = victims[i % victims.length];
    const way = ways[i % ways.length];
    if (!victim || !way) throw new Error("there is nobody to forge for");
    const body = anything(victim, next);
    return () => way(body);
  });
}

/** Lets time pass at the sandbox, and payers answer: what was open is decided, except what nobody answers. */
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

/** How many payments, with their refunds and sums, are not as the sandbox has them. */
async function compare({ gateway, businessId }: Scene, made: Made[]): Promise<Record<string, number>> {
  const wrong = {
    "payments unlike the gateway's": 0,
    "refunds unlike the gateway's": 0,
    "sums unlike the gateway's": 0,
  };
  const sums = { paid: 0, refunded: 0, fees: 0 };
  for (const { attempt } of made) {
    const row = await db.payment.findUniqueOrThrow({ where: { id: attempt.id }, include: { refunds: true } });
    const money = { amountCents: row.amount_cents, currency: row.currency };
    const truth = await gateway.lookup({
      ...money,
      gatewayKey: row.gateway_key,
      ref: null,
      startedAt: row.created_at,
      cardRef: null,
    });
    const reason = truth.outcome === "declined" ? truth.reason : null;
    const fee = truth.outcome === "succeeded" ? (truth.fee?.cents ?? null) : null;
    if (row.status !== ours[truth.outcome] || row.reason !== reason || row.fee_cents !== fee)
      wrong["payments unlike the gateway's"]++;
    if (truth.outcome !== "succeeded") continue;
    sums.paid += row.amount_cents;
    sums.fees += fee ?? 0;
    const refunds = await gateway.refundsOf(truth.ref);
    for (const refund of refunds) {
      const mine = row.refunds.find((one) => one.gateway_ref === refund.ref);
      if (mine?.status !== refund.status || mine.amount_cents !== refund.amountCents)
        wrong["refunds unlike the gateway's"]++;
      if (refund.status !== "succeeded") continue;
      sums.refunded += refund.amountCents;
    }
    wrong["refunds unlike the gateway's"] += Math.abs(row.refunds.length - refunds.length);
  }
  const { sums: books, imbalances } = await checkBooks();
  const mine = books.find(({ business_id }) => business_id === businessId);
  for (const what of ["paid", "refunded", "fees"] as const)
    if (mine?.[what] !== sums[what]) wrong["sums unlike the gateway's"]++;
  return { ...wrong, "imbalances in the books": imbalances.length };
}

/** @param events a multiple of the payments, which are a multiple of their fates */
async function run(events: number, payments: number): Promise<Outcome> {
  const [{ businessId }, stranger] = await Promise.all([createMerchant(), createMerchant("Another shop")]);
  const account = String(businessId);
  const scene = { businessId, gateway: sandbox(account) };
  const next = random();
  const plan = (fate: Fate, told: boolean): Plan => ({ fate, told, amount_cents: between(next, 1_000, 99_999) });
  const rounds = Array.from({ length: payments / fates.length }, (_, i) =>
    fates.map((fate) => plan(fate, i % 2 === 0)),
  );
  const made = await sideBySide(4, rounds.flat(), (one) => makePayment(scene, one));
  // Paid at the sandbox, and nobody but forgers says so.
  const unheard = Array.from({ length: 10 }, () => plan(fates[0], false));
  const victims = await sideBySide(4, unheard, (one) => makePayment(scene, one));

  const signed = (body: string): Post => ({ body, to: account, headers: signCallback(account, body), status: 200 });
  const thrice = (bodies: string[]) => bodies.flatMap((body) => [body, body, body]);
  const bodies = Array.from({ length: events / payments }, () => made.map((one) => anything(one, next))).flat();
  const copies = shuffle(thrice(bodies), next);
  const before = Math.floor(copies.length * 0.6);
  const misanswered: string[] = [];
  let refused = 0;
  const send = async (genuine: string[]) => {
    const forged = forgeries(victims, account, String(stranger.businessId), Math.ceil(genuine.length / 20), next);
    const posts = shuffle([...genuine.map((body) => () => signed(body)), ...forged], next);
    const wrongs = await sideBySide(16, posts, (make) => post(make()));
    misanswered.push(...wrongs.filter((one) => one !== null));
    refused += forged.length;
  };
  await send(copies.slice(0, before));
  await decide(account, made);
  // Each is told of once more, whatever it says, so that there is nothing that nobody was told of.
  const last = made.flatMap(({ attempt: { gatewayKey }, fate }) => [
    noteOf("charge", gatewayKey, "succeeded", new Date()).body,
    ...(fate.refund ? [noteOf("refund", gatewayKey, "succeeded", new Date()).body] : []),
  ]);
  await send([...copies.slice(before), ...thrice(last)]);

  const wrong = await compare(scene, made);
  const untouched = await db.payment.count({
    where: { id: { in: victims.map(({ attempt }) => attempt.id) }, status: "sending", gateway_ref: null },
  });
  const [regressions] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM regression WHERE business_id = ${businessId}`;
  const posted = (copies.length + last.length * 3).toLocaleString("en");
  return {
    done: [`${posted} callbacks about ${payments} payments, and ${refused.toLocaleString("en")} forged ones`]
      .concat(misanswered.slice(0, 5))
      .join("; "),
    wrong: {
      regressions: regressions?.count ?? 0,
      ...wrong,
      "payments moved by forgers": victims.length - untouched,
      "wrong answers": misanswered.length,
    },
  };
}

fault({
  id: "R6",
  title: "repeated, reordered and forged callbacks",
  minutes: 15,
  run: () => (full ? run(10_080, 504) : run(140, 28)),
  control: {
    without: "asking the gateway: the callback's own status is stored",
    run: async () => {
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
      await rig.weaken("r6", [
        { file: "lib/gateways/sandbox/callbacks.ts", find: "return read.success ? {", replace: written },
      ]);
      return run(140, 28);
    },
  },
});
