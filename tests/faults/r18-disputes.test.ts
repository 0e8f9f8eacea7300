import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { noteOf, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { beginAttempt, settle } from "@/lib/ledger/attempt";
import { checkBooks } from "@/lib/ledger/books";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import { aboutLink } from "@/tests/support/about";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { makeLink } from "@/tests/support/payer-rows";
import { asOwner } from "@/tests/support/postgres";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { between, random, seed, shuffle } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  await asOwner(...stage);
});
afterAll(() => rig?.stop());

/** The test alone sends callbacks. A trigger records final states that change. */
const stage = [
  `CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ON sandbox_callback FOR EACH ROW EXECUTE FUNCTION drop_row()`,
  `CREATE TABLE regression (business_id int, id text, was text, became text)`,
  `GRANT ALL ON regression TO paydesk_app`,
  `CREATE FUNCTION record() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN INSERT INTO regression VALUES (NEW.business_id, NEW.id, OLD.status, NEW.status); RETURN NULL; END $$`,
  `CREATE TRIGGER regression AFTER UPDATE ON dispute FOR EACH ROW
     WHEN (OLD.status IN ('won', 'lost', 'prevented', 'inquiry_closed') AND NEW.status <> OLD.status)
     EXECUTE FUNCTION record()`,
];

interface Paid {
  linkId: string;
  paymentId: string;
  key: string;
  ref: string;
  cents: number;
}

interface Scene {
  merchant: Merchant;
  account: string;
  violations: string[];
}

async function pay({ merchant: { businessId }, account }: Scene, cents: number): Promise<Paid> {
  const gateway = sandbox(account);
  const link = await makeLink(businessId, { amount_cents: cents });
  const shown = { amountCents: cents, currency: "EUR" };
  const attempt = await beginAttempt({ id: newId("pay"), linkId: link.id, shown, gateway, tokenizationId: null });
  if (!attempt) throw new Error("the attempt did not begin");
  const card = { number: "4242424242424242", cvc: "123", expMonth: 12, expYear: 2040 };
  const words = { merchant: "Shop", title: link.title, email: link.email, returnPath: "/pay" } as const;
  const { gatewayKey, startedAt } = attempt;
  // The test also draws the sandbox's faults.
  const charge = (): ReturnType<typeof gateway.pay> =>
    gateway.pay({ gatewayKey, startedAt, ...shown, card, about: aboutLink(link.id), ...words }).catch(charge);
  const result = await charge();
  await settle(attempt, result);
  if (result.outcome !== "succeeded") throw new Error("the payment did not succeed");
  return { linkId: link.id, paymentId: attempt.id, key: gatewayKey, ref: result.ref, cents };
}

/** One dispute at the bank. The test makes each of its moves. */
class Bank {
  private open: { ref: string; inquiry: boolean } | null = null;

  constructor(
    private readonly paid: Paid,
    private readonly next: () => number,
  ) {}

  /** Makes one move, if the bank can. Disputes are of what is neither refunded nor taken back. */
  async move(): Promise<void> {
    if (this.open === null) return this.dispute();
    const { ref, inquiry } = this.open;
    const now = new Date();
    if (inquiry && this.next() < 0.4) {
      // As at Stripe: what was refunded meanwhile is not withdrawn.
      const amount_cents = Math.min(await this.free(), (await this.row(ref)).amount_cents);
      if (amount_cents > 0) {
        this.open.inquiry = false;
        await this.update(ref, { amount_cents, withdrawn_at: now, fee_cents: 1_500, outcome: "lost" });
        return;
      }
    }
    this.open = null;
    await this.update(ref, { decided_at: now, ...(inquiry ? {} : { outcome: this.next() < 0.5 ? "won" : "lost" }) });
  }

  private async dispute(): Promise<void> {
    const inquiry = this.next() < 0.3;
    const whole = this.next() < 0.7;
    const free = await this.free();
    if (free === 0) return;
    const ref = `sbx_dp_${newId("pay").slice(4)}`;
    const now = new Date();
    const later = new Date(now.getTime() + 7 * 86_400_000);
    await db.sandboxDispute.create({
      data: {
        ...{ ref, charge_ref: this.paid.ref, amount_cents: whole ? free : Math.ceil(free / 3), reason: "general" },
        ...{ fee_cents: inquiry ? 0 : 1_500, outcome: inquiry ? "closed" : "lost", opened_at: now },
        ...{ withdrawn_at: inquiry ? null : now, respond_by: later, decided_at: later },
      },
    });
    this.open = { ref, inquiry };
  }

  /** What is neither refunded nor taken back, in cents. */
  private async free(): Promise<number> {
    const charge = await db.sandboxCharge.findUniqueOrThrow({
      where: { ref: this.paid.ref },
      include: { disputes: true },
    });
    const held = charge.disputes.filter(
      (one) => one.withdrawn_at && !(one.outcome === "won" && one.decided_at <= new Date()),
    );
    return charge.amount_cents - charge.refunded_cents - held.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  }

  private row(ref: string) {
    return db.sandboxDispute.findUniqueOrThrow({ where: { ref } });
  }

  private update(ref: string, data: Record<string, unknown>) {
    return db.sandboxDispute.update({ where: { ref }, data });
  }
}

/** A callback about a payment's disputes, with arbitrary content. */
function anything({ key }: Paid, next: () => number): string {
  const status = ["opened", "won", "lost", "closed"][between(next, 0, 3)] ?? "won";
  return noteOf("dispute", key, status, new Date(Date.now() + between(next, -3_600_000, 600_000))).body;
}

async function post({ account, violations }: Scene, body: string, retries = 8): Promise<void> {
  const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${account}`;
  const answer = await fetch(address, { method: "POST", headers: signCallback(account, body), body });
  if (answer.status === 200) return;
  // As a gateway does. The sandbox's faults make the lookup fail.
  if (answer.status < 500 || retries === 0) {
    violations.push(`a callback got ${answer.status}`);
    return;
  }
  await sleep(50);
  await post({ account, violations } as Scene, body, retries - 1);
}

/** Refunds a part or the rest. A dispute that the ledger knows to be undecided must refuse it. */
async function refund(scene: Scene, { linkId, paymentId, cents }: Paid, next: () => number): Promise<void> {
  const { dispute_status } = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const body = next() < 0.5 ? {} : { amount: String(between(next, 1, cents)) };
  const reply = await call("POST", `/payment-links/${linkId}/refunds`, { key: scene.merchant.key, body });
  const undecided = dispute_status === "needs_response" || dispute_status === "under_review";
  if (undecided && reply.json.code !== "payment_disputed")
    scene.violations.push(`a refund meanwhile got ${reply.status}`);
  if (![200, 409, 422].includes(reply.status)) scene.violations.push(`a refund got ${reply.status}`);
}

/** Moves of the bank, refunds, and callbacks: lost, repeated, late, in any order, several at once. */
async function runSequence(scene: Scene, index: number): Promise<Paid> {
  const next = random(seed + index);
  const paid = await pay(scene, between(next, 500, 99_999));
  const bank = new Bank(paid, next);
  let waiting: string[] = [];
  for (let step = between(next, 5, 12); step > 0; step--) {
    const drawn = next();
    if (drawn < 0.45) {
      await bank.move();
      const copies = next() < 0.25 ? 0 : between(next, 1, 3); // a quarter is lost
      waiting.push(...Array.from({ length: copies }, () => anything(paid, next)));
    } else if (drawn < 0.65) {
      await refund(scene, paid, next);
    } else {
      const sent = shuffle(waiting, next).slice(0, between(next, 1, 4));
      waiting = waiting.slice(sent.length);
      await Promise.all(sent.map((body) => post(scene, body)));
    }
  }
  await Promise.all(waiting.map((body) => post(scene, body)));
  return paid;
}

/** The sandbox's own balance, in cents, summed over its tables as those of another company. */
async function balanceThere(account: string): Promise<{ balance: number; disputed: number; refunded: number }> {
  const [row] = await db.$queryRaw<{ balance: number; disputed: number; refunded: number }[]>`
    WITH charge AS (SELECT * FROM sandbox_charge WHERE account = ${account} AND status = 'succeeded'),
    disputed AS (
      SELECT coalesce(sum(d.amount_cents) FILTER (WHERE NOT (outcome = 'won' AND decided_at <= clock_timestamp())), 0) AS held,
             coalesce(sum(d.fee_cents), 0) AS fees
        FROM sandbox_dispute d JOIN charge ON charge.ref = d.charge_ref WHERE withdrawn_at IS NOT NULL),
    refunded AS (SELECT coalesce(sum(r.amount_cents), 0) AS cents FROM sandbox_refund r JOIN charge ON charge.ref = r.charge_ref
                  WHERE r.status = 'succeeded')
    SELECT ((SELECT sum(amount_cents - fee_cents) FROM charge) - refunded.cents - disputed.held - disputed.fees)::float8 AS balance,
           disputed.held::float8 AS disputed, refunded.cents::float8 AS refunded FROM disputed, refunded`;
  if (!row) throw new Error("no balance");
  return row;
}

async function run(sequences: number): Promise<Outcome> {
  const merchant = await createMerchant();
  const account = String(merchant.businessId);
  const scene: Scene = { merchant, account, violations: [] };
  // Late answers are outdated lookups: they settle after newer ones.
  await setFault(account, "late", 0.2, 60);
  await setFault(account, "error", 0.05);
  const paid = await mapConcurrently(12, Array.from({ length: sequences }), (_, index) => runSequence(scene, index));
  await clearFaults(account);
  // Disputes of which every callback was lost are found by the list; all others get one last callback.
  await sweepDisputes(AbortSignal.timeout(300_000));
  await mapConcurrently(12, paid, ({ key }) => post(scene, noteOf("dispute", key, "decided", new Date()).body));

  const there = await balanceThere(account);
  const { sums, imbalances } = await checkBooks();
  const here = sums.find(({ business_id }) => business_id === merchant.businessId);
  const [regressions] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM regression WHERE business_id = ${merchant.businessId}`;
  const [twice] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM payment
     WHERE business_id = ${merchant.businessId} AND refunded_cents + disputed_cents > amount_cents`;
  const disputes = await db.dispute.count({ where: { business_id: merchant.businessId } });
  const made = await db.sandboxDispute.count({ where: { charge: { account } } });
  return {
    done: [`${sequences.toLocaleString("en")} sequences with ${made.toLocaleString("en")} disputes`]
      .concat(scene.violations.slice(0, 5))
      .join("; "),
    wrong: {
      "cents that the journal and the gateway's balance differ by": Math.abs((here?.balance ?? 0) - there.balance),
      "cents of disputes that differ": Math.abs((here?.disputed ?? 0) - there.disputed),
      "cents of refunds that differ": Math.abs((here?.refunded ?? 0) - there.refunded),
      "disputes missing": Math.abs(made - disputes),
      "final states changed": regressions?.count ?? 0,
      "payments returned twice": twice?.count ?? 0,
      "imbalances in the books": imbalances.length,
      "wrong responses": scene.violations.length,
    },
  };
}

/** Without the lookup's conditions: the callback's own status is stored. */
const written = `if (read.success && read.data.type.startsWith("dispute.")) {
        const status = { won: "won", lost: "lost", closed: "inquiry_closed" }[read.data.type.slice(8)] ?? "needs_response";
        await queryRows(db, Prisma.sql\`
          UPDATE dispute SET status = \${status}, closed_at = CASE WHEN \${status} = 'needs_response' THEN NULL::timestamptz ELSE now() END
           WHERE payment_id = \${read.data.data.gateway_key}\`);
      }
      return read.success ? {`;

fault({
  id: "R18",
  title: "disputes in any order",
  minutes: 25,
  run: () => run(full ? 2_000 : 36),
  control: {
    without: "asking the gateway: the callback's own status is stored",
    mutations: [{ file: "lib/gateways/sandbox/callbacks.ts", find: "return read.success ? {", replace: written }],
    run: async (mutations) => {
      await rig.weaken("r18", mutations);
      return run(60);
    },
  },
});
