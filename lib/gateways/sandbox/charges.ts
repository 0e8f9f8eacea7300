import { randomBytes } from "node:crypto";
import { batched } from "@/lib/core/batch";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import { minorUnitStep } from "@/lib/core/money";
import type {
  About,
  Booked,
  CardFace,
  ChargeResult,
  FinalResult,
  LookupResult,
  PendingResult,
  SavedCard,
  SavedFace,
} from "@/lib/gateways/gateway";
import { isDeclineReason } from "@/lib/gateways/reasons";
import { insertNotes, type Note, noteOf, repeated } from "./callbacks";
import type { Behaviour } from "./cards";
import { disputeNotes, insertDisputes, type NewDispute, newDispute } from "./disputes";
import { type ChargePlan, decisionDelayMs, planRisk } from "./plan";

/** Currency of a key that was cancelled before its charge arrived (ISO 4217: no currency). */
const noCurrency = "XXX";

interface ChargeRow {
  ref: string;
  amount_cents: number;
  currency: string;
  fee_cents: number;
  status: string;
  reason: string | null;
  card_brand: string | null;
  card_last4: string | null;
  card_exp_month: number | null;
  card_exp_year: number | null;
  settles_at: Date | null;
  saved_card: string | null;
  behaviour: string;
}

const columns = Prisma.sql`
  ref, amount_cents, currency, fee_cents, status, reason, card_brand, card_last4, card_exp_month, card_exp_year, settles_at, saved_card,
  behaviour`;

export interface NewCharge {
  gatewayKey: string;
  amountCents: number;
  currency: string;
  merchant: string;
  about: About;
  returnPath: string;
  card: CardFace | null;
  /** The reference of the card that the payment saves, if it succeeds. */
  savedCard: string | null;
  behaviour: Behaviour;
  plan: ChargePlan;
  offSession: boolean;
}

/** 160 random bits, because the reference alone gives access to a challenge's page. */
export function newRef(kind: "ch" | "re" | "card" | "dp" | "po"): string {
  return `sbx_${kind}_${randomBytes(20).toString("hex")}`;
}

/**
 * The sandbox's fee: 1.4 % plus a quarter of a unit, rounded half up to the currency's minor unit, at most the charge.
 * In cents.
 */
export function feeOf(amountCents: number, currency: string): number {
  const step = minorUnitStep(currency);
  const thousandths = amountCents * 14 + 25_000;
  return Math.min(amountCents, Math.floor((thousandths + 500 * step) / (1000 * step)) * step);
}

/** What one charge writes. */
interface Insert {
  gateway_key: string;
  account: string;
  ref: string;
  fee_cents: number;
  settles_at: Date | null;
  charge: NewCharge;
  notes: Note[];
  dispute: NewDispute | null;
}

const rowOf = ({ charge, ...insert }: Insert) => ({
  ...{ ...insert, amount_cents: charge.amountCents, currency: charge.currency, merchant: charge.merchant },
  ...{ return_path: charge.returnPath, status: charge.plan.status, reason: charge.plan.reason },
  ...{ card_brand: charge.card?.brand, card_last4: charge.card?.last4 },
  ...{ card_exp_month: charge.card?.expMonth, card_exp_year: charge.card?.expYear },
  ...{ behaviour: charge.behaviour, link: charge.about.linkId, subscription: charge.about.subscriptionId },
  ...{ period: charge.about.periodIndex, saved_card: charge.savedCard },
});

const rowColumns = Prisma.sql`
  gateway_key text, account text, ref text, amount_cents int, currency text, fee_cents int, merchant text, return_path text,
  status text, reason text, card_brand text, card_last4 text, card_exp_month int, card_exp_year int, settles_at timestamptz,
  behaviour text, link text, subscription text, period int, saved_card text, notes json, dispute json`;

const insertedColumns = Prisma.sql`
  gateway_key, account, ref, amount_cents, currency, fee_cents, merchant, return_path, status, reason, card_brand, card_last4,
  card_exp_month, card_exp_year, settles_at, behaviour, link, subscription, period, saved_card`;

/**
 * Inserts charges with their callbacks and disputes; null for a key that is in use already. Billing makes thousands of charges at
 * once. If each took a connection and a commit of its own, they would use up the pool, and some would not reach the sandbox.
 */
const insertCharges = batched(async (inserts: Insert[]): Promise<(ChargeRow | null)[]> => {
  // Two batches that insert the same keys in the same order do not deadlock.
  const rows = inserts.toSorted((one, other) => (one.gateway_key < other.gateway_key ? -1 : 1)).map(rowOf);
  const made = await queryRows<ChargeRow & Pick<Insert, "gateway_key" | "account">>(
    db,
    Prisma.sql`
    WITH wanted AS MATERIALIZED (SELECT * FROM ${rowsOf(rows, rowColumns)} AS wanted),
    made AS (
      INSERT INTO sandbox_charge (${insertedColumns}) SELECT ${insertedColumns} FROM wanted
      ON CONFLICT (gateway_key) DO NOTHING
      RETURNING gateway_key, account, ${columns}
    ), callbacks AS (
      INSERT INTO sandbox_callback (account, body, due_at)
      SELECT account, body, due
        FROM wanted, json_to_recordset(notes) AS note (body text, due timestamptz)
       WHERE gateway_key IN (SELECT gateway_key FROM made)
    ), disputes AS (${insertDisputes})
    SELECT * FROM made`,
  );
  return inserts.map(
    ({ gateway_key, account }) =>
      made.find((row) => row.gateway_key === gateway_key && row.account === account) ?? null,
  );
});

/**
 * Inserts a charge with its callbacks and its dispute. A repeated key returns the first outcome.
 * @throws Error when the key was used for another amount or currency, or by another account
 */
export async function makeCharge(account: string, charge: NewCharge): Promise<ChargeResult> {
  const { gatewayKey, amountCents, currency, behaviour, plan } = charge;
  const now = clock.now();
  const settlesAt = plan.status === "processing" ? new Date(now.getTime() + decisionDelayMs) : null;
  const made = await insertCharges({
    ...{ gateway_key: gatewayKey, account, ref: newRef("ch"), fee_cents: feeOf(amountCents, currency) },
    ...{ settles_at: settlesAt, charge, notes: notesOf(charge, now, settlesAt) },
    dispute: newDispute(behaviour, newRef("dp"), now),
  });
  const known = made ?? (await findByKey(account, gatewayKey));
  if (!known) throw new Error("This gateway key belongs to another account.");
  // A key that was cancelled before its charge has no amount to compare.
  if (known.currency !== noCurrency && (known.amount_cents !== amountCents || known.currency !== currency)) {
    throw new Error("This gateway key was used for another amount.");
  }
  return read(known);
}

/** Test cards that exist for their callbacks. */
const alwaysCalledBack = new Set<Behaviour>(["lost_reply", "duplicate_callbacks", "reordered_callbacks"]);

function notesOf({ gatewayKey, behaviour, plan, offSession }: NewCharge, now: Date, settlesAt: Date | null): Note[] {
  // An off-session charge needs no callback: its reply has the outcome.
  const disputes = disputeNotes(behaviour, gatewayKey, now);
  if (offSession && !settlesAt && !alwaysCalledBack.has(behaviour)) return disputes;
  const note = (status: string, created: Date, due?: Date) => noteOf("charge", gatewayKey, status, created, due);
  const notes = [note(plan.status, now), ...disputes];
  if (settlesAt) notes.push(note(plan.reason ? "failed" : "succeeded", settlesAt));
  // The older state arrives last.
  const [before, after] = [new Date(now.getTime() - 1_000), new Date(now.getTime() + 2_000)];
  if (behaviour === "reordered_callbacks") notes.push(note("processing", before, after));
  return repeated(notes, behaviour);
}

const findByKey = (account: string, gatewayKey: string) =>
  db.sandboxCharge.findUnique({ where: { gateway_key: gatewayKey, account } });

export async function lookUpCharge(account: string, gatewayKey: string): Promise<LookupResult> {
  const found = await findByKey(account, gatewayKey);
  return found ? await read(found) : { outcome: "absent" };
}

/**
 * Cancels a charge that waits for its payer. An unknown key is used up, so that a charge still in flight fails. A
 * charge in `processing` cannot be stopped.
 */
export async function cancelCharge(account: string, gatewayKey: string): Promise<FinalResult | PendingResult> {
  // Retries if the charge arrived between the two statements.
  for (let tries = 0; tries < 3; tries++) {
    const known = (await endOpen(account, gatewayKey)) ?? (await findByKey(account, gatewayKey));
    if (!known) throw new Error("This gateway key belongs to another account.");
    const result = await read(known);
    if (result.outcome !== "action") return result;
  }
  throw new Error("The sandbox could not cancel the charge.");
}

async function endOpen(account: string, gatewayKey: string): Promise<ChargeRow | undefined> {
  const callbacks = insertNotes(account, [noteOf("charge", gatewayKey, "failed", clock.now())]);
  const [ended] = await queryRows<ChargeRow>(
    db,
    Prisma.sql`
    WITH made AS (
      UPDATE sandbox_charge SET status = 'failed', reason = 'abandoned'
       WHERE gateway_key = ${gatewayKey} AND account = ${account} AND status = 'requires_action'
      RETURNING ${columns}
    ), callbacks AS (${callbacks}), used_up AS (
      INSERT INTO sandbox_charge (gateway_key, account, ref, amount_cents, currency, merchant, return_path, status, reason)
      VALUES (${gatewayKey}, ${account}, ${newRef("ch")}, 0, ${noCurrency}, '', '/', 'failed', 'processing_error')
      ON CONFLICT (gateway_key) DO NOTHING
      RETURNING ${columns}
    )
    SELECT * FROM made UNION ALL SELECT * FROM used_up`,
  );
  return ended;
}

/** The current state: a `processing` charge is decided at `settles_at`. */
export function stateOf(charge: Pick<ChargeRow, "status" | "reason" | "settles_at">): string {
  if (charge.status !== "processing" || !charge.settles_at || charge.settles_at > clock.now()) return charge.status;
  return charge.reason ? "failed" : "succeeded";
}

/** The sandbox exchanges no money: its account has a balance in each currency. */
const bookedOf = ({ amount_cents: grossCents, fee_cents: feeCents, currency }: ChargeRow): Booked => ({
  grossCents,
  feeCents,
  currency,
});

async function savedCardOf({ saved_card: ref }: ChargeRow): Promise<SavedCard | null> {
  const row = ref === null ? null : await db.sandboxCard.findUnique({ where: { ref } });
  return row && { ref: row.ref, card: faceOfSaved(row) };
}

/** The displayable details of a card on file. */
export const faceOfSaved = (row: { brand: string; last4: string; exp_month: number; exp_year: number }): SavedFace => ({
  brand: row.brand,
  last4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
});

const faceOf = ({ card_brand: brand, card_last4: last4, card_exp_month, card_exp_year }: ChargeRow): CardFace | null =>
  brand && last4 ? { brand, last4, expMonth: card_exp_month, expYear: card_exp_year } : null;

async function read(charge: ChargeRow): Promise<ChargeResult> {
  const { ref } = charge;
  const card = faceOf(charge);
  // A key that was cancelled before its charge arrived has no card, so no charge was assessed.
  const risk = card && planRisk(charge.behaviour);
  switch (stateOf(charge)) {
    case "succeeded":
      return { outcome: "succeeded", ref, card, booked: bookedOf(charge), saved: await savedCardOf(charge), risk };
    case "failed": {
      const reason = isDeclineReason(charge.reason) ? charge.reason : "processing_error";
      return { outcome: "declined", reason, code: charge.reason, ref, card, risk };
    }
    case "processing":
      return { outcome: "pending", ref, card };
    case "requires_action":
      return { outcome: "action", at: "bank", ref, url: `/sandbox/3ds/${ref}`, card };
    default:
      throw new Error(`A sandbox charge has no status ${charge.status}.`);
  }
}
