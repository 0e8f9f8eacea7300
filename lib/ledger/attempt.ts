import { randomBytes } from "node:crypto";
import { batched, byId } from "@/lib/core/batch";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, isUniqueViolation, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import type { Booked, ChargeResult, FinalResult, Gateway, SavedCard } from "@/lib/gateways/gateway";
import { afterSettled } from "@/lib/periods/after-settlement";
import { isHard } from "@/lib/periods/dunning";
import { lockPeriods, lockWithPayers } from "@/lib/periods/lock";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { hasUnknownCharge } from "@/lib/resources/unknown-charges/resource";
import { declineCard } from "./declined-card";
import { type Outcome, recordSettled } from "./events";
import { keepCard } from "./keep-card";

/** An attempt is open while money may still move; then it is final. */
export const openStatuses = ["created", "sending", "requires_action", "unknown"] as const;
export const openCondition = Prisma.sql`payment.status IN ('created', 'sending', 'requires_action', 'unknown')`;

/**
 * SQL: a link's attempts that staff recorded as failed, but that the gateway may still charge, because it has not closed them.
 */
export const unclosedAttempts = (linkId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT f.id, f.gateway_account_id FROM payment f
   WHERE f.payment_link_id = ${linkId} AND f.status = 'failed' AND f.settled_by IS NOT NULL
     AND f.mismatch_at IS NULL AND f.closed_at IS NULL`;

export type Attempt = { id: string; linkId: string; gatewayKey: string; startedAt: Date };

/**
 * The amount that the payer agreed to, and the rate of the tax in it (null: none; undefined: not shown). The attempt starts only if
 * the link still has them.
 */
export type Shown = { amountCents: number; currency: string; taxBasisPoints?: number | null };

export interface Begin {
  /** Becomes the payment's id and its idempotency key at the gateway. */
  id: string;
  linkId: string;
  shown: Shown;
  gateway: Gateway;
  /**
   * The saved card to charge; null when the payer is present. Must be usable and match the link's tenant and e-mail.
   */
  tokenizationId: string | null;
  /** Set by billing: the subscription must be running, and `at` must equal the link's `next_step_at`. */
  step?: { subscriptionId: string; at: Date | null };
  /** Ids of `unclosedAttempts` that do not block this one. */
  ignored?: string[];
}

/**
 * INSERT of one attempt for each row of the CTE `link`. The same statement must set these links to Processing. The payment's id
 * is its idempotency key at the gateway.
 */
export const insertAttempt = Prisma.sql`
  INSERT INTO payment (id, gateway_key, business_id, livemode, payment_link_id, gateway, gateway_account_id,
                       tokenization_id, amount_cents, currency, status)
  SELECT attempt_id, attempt_id, business_id, livemode, id, gateway, gateway_account_id, tokenization_id, amount_cents,
         currency, 'sending' FROM link`;

/**
 * Commits the attempt and moves the link Active -> Processing. One statement does both, so a concurrent edit, expiry,
 * deletion or payment of the link happens before or after it, never in between.
 * @returns null, with nothing written, when the link is not payable, the amount, tax or card does not match, or the attempt
 * already exists
 */
export async function beginAttempt({
  id,
  linkId,
  shown,
  gateway,
  tokenizationId,
  step,
  ignored = [],
}: Begin): Promise<Attempt | null> {
  const mayUse =
    tokenizationId === null
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (
          SELECT FROM tokenization t WHERE t.id = ${tokenizationId} AND t.business_id = payment_link.business_id
             AND t.livemode = payment_link.livemode AND t.status = 'active' AND t.declined_at IS NULL
             AND lower(t.email COLLATE "C") = lower(payment_link.email COLLATE "C"))`;
  // FOR SHARE: a concurrent cancel or pause commits before this statement or waits for it.
  const running = step
    ? Prisma.sql`running AS MATERIALIZED (
        SELECT id FROM subscription WHERE id = ${step.subscriptionId} AND deleted_at IS NULL
           AND status IN ('created', 'active', 'past_due', 'unpaid') FOR SHARE),`
    : Prisma.empty;
  const isStep = step
    ? Prisma.sql`subscription_id IN (SELECT id FROM running) AND date_trunc('milliseconds', next_step_at) IS NOT DISTINCT FROM ${step.at}::timestamptz`
    : Prisma.sql`true`;
  const hasShownTax =
    shown.taxBasisPoints === undefined
      ? Prisma.sql`true`
      : Prisma.sql`tax_basis_points IS NOT DISTINCT FROM ${shown.taxBasisPoints}::int`;
  try {
    const [started] = await queryRows<{ started_at: Date }>(
      db,
      Prisma.sql`
      WITH ${running} link AS (
        UPDATE payment_link SET status = 'Processing'
         -- The concatenation keeps the planner on the primary key, away from the index of active links.
         WHERE id = ${linkId} AND status || '' = 'Active' AND deleted_at IS NULL
           AND (expires_at IS NULL OR expires_at > ${clock.now()}::timestamptz)
           AND amount_cents = ${shown.amountCents}::int AND currency = ${shown.currency} AND ${hasShownTax} AND ${mayUse} AND ${isStep}
           AND NOT ${hasUnknownCharge("payment_link")}
           AND NOT EXISTS (${unclosedAttempts(Prisma.sql`payment_link.id`)} AND f.id <> ALL (${ignored}::text[]))
        RETURNING id, business_id, livemode, amount_cents, currency, ${id} AS attempt_id, ${gateway.name} AS gateway,
                  ${gateway.accountId} AS gateway_account_id, ${tokenizationId} AS tokenization_id
      )
      ${insertAttempt} RETURNING started_at`,
    );
    return started ? { id, linkId, gatewayKey: id, startedAt: started.started_at } : null;
  } catch (error) {
    // A unique index refused it: another attempt is open or has succeeded, or this id exists.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/**
 * Writes the gateway's result to the attempt, the link and the journal, in one transaction. Idempotent: a repeated
 * result, or an older one after a final one, changes nothing.
 */
export async function settle(attempt: Pick<Attempt, "id" | "linkId">, result: ChargeResult): Promise<void> {
  switch (result.outcome) {
    case "action":
    case "pending":
      return recordOpen(attempt, result);
    default:
      await settleFinal({ id: attempt.id, linkId: attempt.linkId, result });
  }
}

async function recordOpen({ id }: Pick<Attempt, "id">, result: Exclude<ChargeResult, FinalResult>): Promise<void> {
  const { outcome, ref, card } = result;
  const [status, from] =
    outcome === "action"
      ? ["requires_action", ["created", "sending", "unknown"]]
      : ["unknown", ["created", "sending", "requires_action"]];
  await db.payment.updateMany({
    where: { id, OR: [{ status: { in: from } }, { status, gateway_ref: null }] },
    data: {
      ...{ status, gateway_ref: ref, card_brand: card?.brand, card_last4: card?.last4 },
      ...{ card_exp_month: card?.expMonth, card_exp_year: card?.expYear },
    },
  });
}

/** Returned by the settling statement, so that no second query reads it. */
interface SettledRow {
  payment: PaymentOfLink;
  link: PaymentLink | null;
  business_id: number;
  livemode: boolean;
  tokenization_id: string | null;
  other_open: boolean;
  receipt: boolean;
}

interface Final {
  id: string;
  linkId: string;
  result: FinalResult | ManualResult;
}

/** A manual payment: no gateway took part, so there is no gateway reference. */
type ManualResult = { outcome: "succeeded"; ref: null; card: null; booked: Booked; saved: null; risk: null };

const settleTogether = (finals: Final[]) => transaction(db, (tx) => settleAll(tx, finals.toSorted(byId)));
const settlePaid = batched(settleTogether);

/** Only paid charges share a transaction: a failed one needs more statements, and would keep the others' rows locked. */
const settleFinal = (final: Final): Promise<unknown> =>
  final.result.outcome === "succeeded" ? settlePaid(final) : settleTogether([final]);

/** Locks the subscriptions of the payments' periods, and with a saved card all of its payer's, in the order of their ids. */
export async function lockForSettlement(
  tx: Db,
  finals: Pick<Final, "linkId" | "result">[],
): ReturnType<typeof lockPeriods> {
  const linkIds = finals.map(({ linkId }) => linkId);
  const saving = finals.filter(({ result }) => result.outcome === "succeeded" && result.saved);
  if (saving.length > 0)
    await lockWithPayers(
      tx,
      linkIds,
      saving.map(({ linkId }) => linkId),
    );
  return lockPeriods(tx, linkIds);
}

/** The caller holds no lock of these payments, or has called `lockForSettlement` first. */
export async function settleAll(tx: Db, finals: Final[]): Promise<undefined[]> {
  const now = clock.now();
  const periods = await lockForSettlement(tx, finals);
  const subscriptions = new Set([...periods.values()].map(({ subscription_id }) => subscription_id));
  // The first settlement changes what the second must do. `batched` then settles each alone.
  if (subscriptions.size < periods.size) throw new Error("Two periods of one subscription: each settles alone.");
  const rows = await queryRows<SettledRow>(
    tx,
    Prisma.sql`
    WITH result AS MATERIALIZED (
      SELECT * FROM ${rowsOf(finals.map(resultRow), resultColumns)} AS result
    ), settled AS (
      UPDATE payment SET status = result.status, reason = result.reason, gateway_code = result.gateway_code,
             gateway_ref = coalesce(result.ref, gateway_ref), risk = result.risk, settled_at = ${now}::timestamptz,
             card_brand = coalesce(result.card_brand, payment.card_brand),
             card_last4 = coalesce(result.card_last4, payment.card_last4),
             card_exp_month = coalesce(result.card_exp_month, payment.card_exp_month),
             card_exp_year = coalesce(result.card_exp_year, payment.card_exp_year),
             receipt_token = result.receipt_token, fee_cents = result.fee_cents, fee_currency = result.fee_currency,
             booked_cents = CASE WHEN result.fee_currency <> payment.currency THEN result.booked_cents END
        FROM result
       WHERE payment.id = result.id AND payment_link_id = result.link_id
         AND ${openCondition}
      RETURNING payment.*
    ), moved AS (
      UPDATE payment_link SET status = CASE settled.status WHEN 'succeeded' THEN 'Paid' ELSE 'Active' END,
             paid_at = CASE settled.status WHEN 'succeeded' THEN ${now}::timestamptz END,
             next_step_at = CASE settled.status WHEN 'succeeded' THEN NULL ELSE next_step_at END,
             awaiting_transfer_since = CASE settled.status WHEN 'succeeded' THEN NULL ELSE awaiting_transfer_since END,
             attempt_count = attempt_count + CASE WHEN settled.status = 'succeeded' AND subscription_id IS NOT NULL
                                                   AND settled.tokenization_id IS NOT NULL THEN 1 ELSE 0 END
        FROM settled WHERE payment_link.id = settled.payment_link_id AND payment_link.status = 'Processing'
      RETURNING payment_link.*
    ), posted AS (
      INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
      SELECT business_id, livemode, 'payment', id, CASE gateway WHEN 'manual' THEN 'manual' ELSE 'gateway' END, 'sales',
             amount_cents, currency, ${now}::timestamptz
        FROM settled WHERE status = 'succeeded'
      UNION ALL
      SELECT business_id, livemode, 'fee', id, 'fees', 'gateway', fee_cents, fee_currency, ${now}::timestamptz
        FROM settled WHERE fee_cents > 0
      UNION ALL
      SELECT business_id, livemode, 'exchange_out', id, 'exchange', 'gateway', amount_cents, currency, ${now}::timestamptz
        FROM settled WHERE booked_cents IS NOT NULL
      UNION ALL
      SELECT business_id, livemode, 'exchange_in', id, 'gateway', 'exchange', booked_cents, fee_currency, ${now}::timestamptz
        FROM settled WHERE booked_cents > 0
    ), summed AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, settled_at, amount_cents, 1, currency,
             CASE status WHEN 'succeeded' THEN 'collected' ELSE 'failed' END FROM settled
      UNION ALL
      SELECT business_id, livemode, settled_at, fee_cents, 1, fee_currency, 'fee' FROM settled WHERE fee_cents IS NOT NULL
    ), shown_payment AS (SELECT ${payments.columns(now)} FROM settled AS payment
    ), shown_link AS (SELECT ${paymentLinks.columns(now)} FROM moved)
    SELECT row_to_json(p) AS payment, row_to_json(l) AS link, settled.business_id, settled.livemode,
           settled.tokenization_id,
           -- The payer of an adopted charge already has the receipt.
           b.send_receipts AND NOT EXISTS (SELECT FROM unknown_charge u WHERE u.gateway_key = settled.gateway_key) AS receipt,
           EXISTS (SELECT FROM payment_link o WHERE o.subscription_id = moved.subscription_id AND o.id <> moved.id
                      AND o.status IN ('Active', 'Processing') AND o.deleted_at IS NULL) AS other_open
      FROM settled JOIN business b ON b.id = settled.business_id JOIN shown_payment p ON p._id = settled.id
      LEFT JOIN moved ON moved.id = settled.payment_link_id LEFT JOIN shown_link l ON l._id = moved.id`,
  );
  // An attempt without a row was final before.
  const outcomes: Outcome[] = [];
  for (const { link, payment, receipt, tokenization_id, other_open, business_id, livemode } of rows) {
    if (!link) throw new Error(`Attempt ${payment._id} was open on a link that is not Processing.`);
    const period = periods.get(link._id) ?? null;
    const tenant = { businessId: business_id, livemode };
    const declined = isHard(payment.reason) ? await declineCard(tx, tenant, payment, now) : [];
    const settled = { reason: payment.reason, cardId: tokenization_id, otherOpen: other_open, now };
    const change = period && (await afterSettled(tx, period, settled));
    outcomes.push({ tenant, payment, link, receipt, declined, period, change });
  }
  await recordSettled(tx, outcomes);
  for (const { tenant, payment, period } of outcomes) {
    const saved = period && savedBy(finals, payment._id);
    if (saved) await keepCard(tx, tenant, payment, saved);
  }
  return finals.map(() => undefined);
}

const savedBy = (finals: Final[], paymentId: string): SavedCard | null => {
  const result = finals.find(({ id }) => id === paymentId)?.result;
  return result?.outcome === "succeeded" ? result.saved : null;
};

const resultColumns = Prisma.sql`
  id text, link_id text, status text, reason text, gateway_code text, ref text, card_brand text, card_last4 text,
  card_exp_month int, card_exp_year int, receipt_token text, risk text, fee_cents int, fee_currency text, booked_cents int`;

const fitsInteger = ({ grossCents, feeCents }: Booked) => Math.max(grossCents, feeCents) <= 2_147_483_647;

function resultRow({ id, linkId, result }: Final) {
  const paid = result.outcome === "succeeded";
  // An amount that exceeds the integer column is dropped: the payment must still settle.
  const booked = paid && result.booked && fitsInteger(result.booked) ? result.booked : null;
  return {
    ...{ id, link_id: linkId, status: paid ? "succeeded" : "failed", reason: paid ? null : result.reason },
    gateway_code: paid ? null : result.code,
    ...{ ref: result.ref, card_brand: result.card?.brand ?? null, card_last4: result.card?.last4 ?? null },
    ...{ card_exp_month: result.card?.expMonth ?? null, card_exp_year: result.card?.expYear ?? null },
    ...{ receipt_token: paid ? randomBytes(32).toString("base64url") : null, risk: result.risk },
    ...{ fee_cents: booked?.feeCents ?? null, fee_currency: booked?.currency ?? null },
    booked_cents: booked?.grossCents ?? null,
  };
}

/**
 * Records the fee, and the exchange into the balance's currency, that the gateway reported after the charge. Writes only what is
 * not known yet.
 * @returns false, with nothing written, when the amounts exceed the integer columns: repeating the call would not help
 */
export async function recordBooked(paymentId: string, booked: Booked): Promise<boolean> {
  const { grossCents, feeCents, currency } = booked;
  if (!fitsInteger(booked)) {
    log.warn(
      { payment: paymentId, currency },
      "the gateway booked more than a payment's row holds: its fee and exchange are not recorded",
    );
    return false;
  }
  await execute(
    db,
    Prisma.sql`
    WITH was AS (
      SELECT id, fee_cents IS NULL AS without_fee FROM payment
       WHERE id = ${paymentId} AND status = 'succeeded' AND coalesce(fee_currency, ${currency}) = ${currency}
         AND (fee_cents IS NULL OR (fee_currency <> currency AND booked_cents IS NULL)) FOR UPDATE
    ), recorded AS (
      UPDATE payment SET fee_cents = coalesce(fee_cents, ${feeCents}::int), fee_currency = ${currency},
             booked_cents = CASE WHEN currency <> ${currency} THEN ${grossCents}::int END
        FROM was WHERE payment.id = was.id
      RETURNING payment.*, without_fee
    ), summed AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, settled_at, fee_cents, 1, fee_currency, 'fee'
        FROM recorded WHERE without_fee AND settled_at IS NOT NULL
    )
    INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
    SELECT business_id, livemode, posted.kind, id, debit, credit, cents, posted.currency, ${clock.now()}::timestamptz
      FROM recorded, LATERAL (VALUES
        ('fee', 'fees', 'gateway', CASE WHEN without_fee THEN fee_cents END, fee_currency),
        ('exchange_out', 'exchange', 'gateway', CASE WHEN booked_cents IS NOT NULL THEN amount_cents END, recorded.currency),
        ('exchange_in', 'gateway', 'exchange', booked_cents, fee_currency)
      ) AS posted(kind, debit, credit, cents, currency)
     WHERE cents > 0`,
  );
  return true;
}

/** For a gateway call that failed or timed out: money may have moved, so the link stays Processing. */
export async function setUnknown(attempt: Pick<Attempt, "id">, error: unknown): Promise<void> {
  log.warn({ err: error, payment: attempt.id }, "outcome of a payment attempt unknown");
  await db.payment.updateMany({ where: { id: attempt.id, status: "sending" }, data: { status: "unknown" } });
}
