import { randomBytes } from "node:crypto";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { minorUnitStep } from "@/lib/core/money";
import {
  type CardFace,
  type ChargeResult,
  type FinalResult,
  isDeclineReason,
  type LookupResult,
  type PendingResult,
} from "@/lib/gateways/gateway";
import { insertNotes, type Note, noteOf, repeated } from "./callbacks";
import type { Behaviour } from "./cards";
import { type ChargePlan, decisionDelayMs } from "./plan";

/** Stands for the currency of a key that was cancelled before any charge arrived (ISO 4217: no currency). */
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
  settles_at: Date | null;
}

const columns = Prisma.sql`ref, amount_cents, currency, fee_cents, status, reason, card_brand, card_last4, settles_at`;

export interface NewCharge {
  gatewayKey: string;
  amountCents: number;
  currency: string;
  merchant: string;
  returnPath: string;
  card: CardFace | null;
  behaviour: Behaviour;
  plan: ChargePlan;
  /** Of a saved card, whose payer is away. */
  offSession: boolean;
}

/** A reference of the sandbox's own: 160 random bits, because a challenge's page is reached by it alone. */
export function newRef(kind: "ch" | "re" | "card"): string {
  return `sbx_${kind}_${randomBytes(20).toString("hex")}`;
}

/**
 * What the sandbox keeps of a charge: 1.4 % and a quarter of a unit, rounded half up to what the currency can be divided
 * into; never more than the charge. Both in cents.
 */
export function feeOf(amountCents: number, currency: string): number {
  const step = minorUnitStep(currency);
  const thousandths = amountCents * 14 + 25_000;
  return Math.min(amountCents, Math.floor((thousandths + 500 * step) / (1000 * step)) * step);
}

/**
 * Makes a charge and writes down its callbacks, in one statement. A key that was sent before keeps its first outcome.
 * @throws Error when the key was used for another amount or currency, or by another account
 */
export async function makeCharge(account: string, charge: NewCharge): Promise<ChargeResult> {
  const { gatewayKey, amountCents, currency, card, behaviour, plan } = charge;
  const now = clock.now();
  const settlesAt = plan.status === "processing" ? new Date(now.getTime() + decisionDelayMs) : null;
  const [made] = await queryRows<ChargeRow>(
    db,
    Prisma.sql`
    WITH made AS (
      INSERT INTO sandbox_charge (gateway_key, account, ref, amount_cents, currency, fee_cents, merchant, return_path,
                                  status, reason, card_brand, card_last4, settles_at, behaviour)
      VALUES (${gatewayKey}, ${account}, ${newRef("ch")}, ${amountCents}, ${currency}, ${feeOf(amountCents, currency)},
              ${charge.merchant}, ${charge.returnPath}, ${plan.status}, ${plan.reason}, ${card?.brand ?? null},
              ${card?.last4 ?? null}, ${settlesAt}, ${behaviour})
      ON CONFLICT (gateway_key) DO NOTHING
      RETURNING ${columns}
    ), told AS (${insertNotes(account, notesOf(charge, now, settlesAt))})
    SELECT * FROM made`,
  );
  const known = made ?? (await findByKey(account, gatewayKey));
  if (!known) throw new Error("This gateway key belongs to another account.");
  // A key that was cancelled first has no amount; otherwise another one is a mistake of the caller.
  if (known.currency !== noCurrency && (known.amount_cents !== amountCents || known.currency !== currency)) {
    throw new Error("This gateway key was used for another amount.");
  }
  return read(known);
}

/** Test cards whose point is their callbacks. */
const toldAnyway = new Set<Behaviour>(["lost_reply", "duplicate_callbacks", "reordered_callbacks"]);

function notesOf({ gatewayKey, behaviour, plan, offSession }: NewCharge, now: Date, settlesAt: Date | null): Note[] {
  // Nobody waits elsewhere for what becomes of a saved card's charge: what the reply decides is not told again.
  if (offSession && !settlesAt && !toldAnyway.has(behaviour)) return [];
  const tell = (status: string, created: Date, due?: Date) => noteOf("charge", gatewayKey, status, created, due);
  const notes = [tell(plan.status, now)];
  if (settlesAt) notes.push(tell(plan.reason ? "failed" : "succeeded", settlesAt));
  // What was true before arrives after what is true now.
  const [before, after] = [new Date(now.getTime() - 1_000), new Date(now.getTime() + 2_000)];
  if (behaviour === "reordered_callbacks") notes.push(tell("processing", before, after));
  return repeated(notes, behaviour);
}

async function findByKey(account: string, gatewayKey: string): Promise<ChargeRow | null> {
  const [found] = await queryRows<ChargeRow>(
    db,
    Prisma.sql`SELECT ${columns} FROM sandbox_charge WHERE gateway_key = ${gatewayKey} AND account = ${account}`,
  );
  return found ?? null;
}

/** What became of a key of this account. */
export async function lookUpCharge(account: string, gatewayKey: string): Promise<LookupResult> {
  const found = await findByKey(account, gatewayKey);
  return found ? read(found) : { outcome: "absent" };
}

/**
 * Ends a charge that waits for its payer. A key that was never seen is taken here and now, so that a charge still under
 * way finds it spent. What the sandbox is deciding it can not stop.
 */
export async function cancelCharge(account: string, gatewayKey: string): Promise<FinalResult | PendingResult> {
  // Once more if a charge began while the first statement was on its way.
  for (let tries = 0; tries < 3; tries++) {
    const known = (await endOpen(account, gatewayKey)) ?? (await findByKey(account, gatewayKey));
    if (!known) throw new Error("This gateway key belongs to another account.");
    const result = read(known);
    if (result.outcome !== "action") return result;
  }
  throw new Error("The sandbox could not cancel the charge.");
}

async function endOpen(account: string, gatewayKey: string): Promise<ChargeRow | undefined> {
  const told = insertNotes(account, [noteOf("charge", gatewayKey, "failed", clock.now())]);
  const [ended] = await queryRows<ChargeRow>(
    db,
    Prisma.sql`
    WITH made AS (
      UPDATE sandbox_charge SET status = 'failed', reason = 'abandoned'
       WHERE gateway_key = ${gatewayKey} AND account = ${account} AND status = 'requires_action'
      RETURNING ${columns}
    ), told AS (${told}), taken AS (
      INSERT INTO sandbox_charge (gateway_key, account, ref, amount_cents, currency, merchant, return_path, status, reason)
      VALUES (${gatewayKey}, ${account}, ${newRef("ch")}, 0, ${noCurrency}, '', '/', 'failed', 'processing_error')
      ON CONFLICT (gateway_key) DO NOTHING
      RETURNING ${columns}
    )
    SELECT * FROM made UNION ALL SELECT * FROM taken`,
  );
  return ended;
}

/** Where a charge stands: one that is being decided is decided when its time has come, whoever looks. */
export function stateOf(charge: Pick<ChargeRow, "status" | "reason" | "settles_at">): string {
  if (charge.status !== "processing" || !charge.settles_at || charge.settles_at > clock.now()) return charge.status;
  return charge.reason ? "failed" : "succeeded";
}

function read(charge: ChargeRow): ChargeResult {
  const { ref, currency } = charge;
  const card = charge.card_brand && charge.card_last4 ? { brand: charge.card_brand, last4: charge.card_last4 } : null;
  switch (stateOf(charge)) {
    case "succeeded":
      return { outcome: "succeeded", ref, card, fee: { cents: charge.fee_cents, currency } };
    case "failed": {
      const reason = isDeclineReason(charge.reason) ? charge.reason : "processing_error";
      return { outcome: "declined", reason, ref, card };
    }
    case "processing":
      return { outcome: "pending", ref, card };
    case "requires_action":
      return { outcome: "action", at: "bank", ref, url: `/sandbox/3ds/${ref}`, card };
    default:
      throw new Error(`A sandbox charge has no status ${charge.status}.`);
  }
}
