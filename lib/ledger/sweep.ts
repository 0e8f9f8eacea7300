import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { refreshSettled } from "./callback";
import { giveUp, reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";
import { refreshSetup } from "./save-card";

/** Age in seconds from which an open attempt is asked about: its own request has usually ended by then. */
const askAfter = 5;
/** Seconds between two questions about the same thing: short while it is young, then at most this. */
const askAgain = 30;
/** Age in seconds at which a page that the payer left, or an undecided charge, is given up, so that the link can be paid otherwise. */
const giveUpAfter = 30 * 60;
const atOnce = 200;
const side = 8;
/** Of these, so many for one account: one whose gateway hangs does not hold up the others. */
const lanesAtOnce = 4;
/** Failures in a row after which an account's gateway is taken to be away until the next round. */
const patience = 5;

interface Due {
  id: string;
  /** Whose gateway it is: one that is away is not asked about all the rest as well. */
  account: string;
  /** Seconds since it began. */
  age: number;
  status: string;
  /** How far the business's clock is ahead, in milliseconds. */
  ahead: number;
}

/**
 * Claims what is due, the longest unasked first, so that several processes share the work. Costs as much as there is open,
 * by the partial indexes, however much is settled.
 */
function claim(table: Table): Promise<Due[]> {
  const { asked, open, account } = sources[table];
  return queryRows<Due>(
    db,
    Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(asked)} = clock_timestamp()
     WHERE id IN (
       SELECT id FROM ${Prisma.raw(table)}
        WHERE ${Prisma.raw(open)} AND created_at < clock_timestamp() - make_interval(secs => ${askAfter}::int)
          AND (${Prisma.raw(asked)} IS NULL OR ${Prisma.raw(asked)} < clock_timestamp() - make_interval(secs =>
               CASE WHEN created_at > clock_timestamp() - interval '1 minute' THEN ${askAfter - 1}::int ELSE ${askAgain - 1}::int END))
        ORDER BY ${Prisma.raw(asked)} NULLS FIRST, id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
    RETURNING id, ${Prisma.raw(account)} AS account, status, CASE WHEN livemode THEN 0 ELSE
                (SELECT test_clock_ahead FROM business WHERE business.id = business_id) END::float8 AS ahead,
              extract(epoch FROM clock_timestamp() - created_at)::float8 AS age`,
  );
}

/**
 * Payments whose gateway may have more to tell although they are settled: a fee, a refund that the bank sent back. Callbacks
 * tell it at once; where none arrive, it is asked for, ever less often, for a month.
 */
function claimSettled(): Promise<Due[]> {
  return queryRows<Due>(
    db,
    Prisma.sql`
    UPDATE payment SET asked_at = clock_timestamp()
     WHERE id IN (
       SELECT id FROM payment
        WHERE status = 'succeeded' AND (fee_cents IS NULL OR refunded_cents > 0)
          AND settled_at > clock_timestamp() - interval '30 days'
          AND (asked_at IS NULL OR asked_at < clock_timestamp()
               - greatest(interval '1 hour', (clock_timestamp() - settled_at) / 4))
        ORDER BY settled_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
    RETURNING id, ${Prisma.raw(sources.payment.account)} AS account, status, 0::float8 AS age, CASE WHEN livemode THEN 0 ELSE
              (SELECT test_clock_ahead FROM business WHERE business.id = business_id) END::float8 AS ahead`,
  );
}

const tables = ["payment", "refund", "tokenization"] as const;
type Table = (typeof tables)[number];

const sources = {
  payment: {
    asked: "asked_at",
    open: "status IN ('created', 'sending', 'requires_action', 'unknown')",
    account: "coalesce(gateway_account_id, business_id::text)",
  },
  refund: { asked: "asked_at", open: "status = 'pending'", account: "business_id::text || livemode::text" },
  tokenization: {
    asked: "setup_asked_at",
    open: "status = 'pending' AND setup_ref IS NOT NULL AND expires_at > clock_timestamp()",
    account: "coalesce(gateway_account_id, business_id::text)",
  },
};

const questions: Record<Table | "settled", (due: Due) => Promise<unknown>> = {
  payment: async ({ id, status, age }) => {
    const result = await reconcilePayment(id);
    const waits = result?.outcome === "pending" || result?.outcome === "action" || status === "requires_action";
    if (waits && age > giveUpAfter) await giveUp(id);
  },
  refund: ({ id }) => reconcileRefunds({ refundId: id }),
  tokenization: ({ id }) => refreshSetup(id),
  settled: ({ id }) => refreshSettled(id),
};

/**
 * Settles what nobody came back for: a crash between charge and settle, a reply that was lost, a page that was answered or
 * abandoned in a closed tab, a refund that takes its time. What the gateway does not know yet waits for the next round.
 * @param stopping asks for no more than what is being asked already
 */
export async function sweepPayments(stopping: AbortSignal): Promise<void> {
  await Promise.all(tables.map((table) => sweep(table, stopping)));
}

async function sweep(table: Table, stopping: AbortSignal): Promise<void> {
  for (let due = await claim(table); due.length > 0; due = due.length < atOnce ? [] : await claim(table)) {
    await ask(due, table, stopping);
    if (stopping.aborted) return;
  }
}

async function ask(due: Due[], about: keyof typeof questions, stopping: AbortSignal): Promise<void> {
  const accounts = new Map<string, Due[]>();
  for (const one of due) accounts.set(one.account, [...(accounts.get(one.account) ?? []), one]);
  const lanes = [...accounts.values()].flatMap((own) => lanesOf(about, own, stopping));
  const rest = lanes[Symbol.iterator]();
  const worker = async () => {
    for (const lane of rest) await lane();
  };
  await Promise.all(Array.from({ length: side }, worker));
}

/** Looks again at settled payments; far less often than `sweepPayments`. */
export async function sweepSettled(stopping: AbortSignal): Promise<void> {
  await ask(await claimSettled(), "settled", stopping);
}

/** An account's questions, several at a time but never all of the workers; its gateway's failures in a row end them. */
function lanesOf(about: keyof typeof questions, due: Due[], stopping: AbortSignal): (() => Promise<void>)[] {
  const rest = due[Symbol.iterator]();
  let failures = 0;
  const lane = async () => {
    for (const one of rest) {
      if (failures >= patience || stopping.aborted) return;
      try {
        await clock.ahead(one.ahead, () => questions[about](one));
        failures = 0;
      } catch (err) {
        failures++;
        log.warn({ err, about, id: one.id }, "could not ask the gateway");
      }
    }
  };
  return Array.from({ length: Math.min(lanesAtOnce, due.length) }, () => lane);
}
