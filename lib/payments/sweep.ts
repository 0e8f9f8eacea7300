import { clock } from "../clock";
import { db, Prisma } from "../db";
import { log } from "../log";
import { refreshSetup } from "./activate";
import { cancelAction, reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";

/** Age in seconds from which an open attempt is asked about: its own request has usually ended by then. */
const askAfter = 5;
/** Seconds between two questions about the same thing: short while it is young, then at most this. */
const askAgain = 30;
/** Age in seconds at which a page that the payer left is given up, so that the link can be paid otherwise. */
const giveUpAfter = 30 * 60;
const atOnce = 200;
const side = 8;
/** Failures in a row after which an account's gateway is taken to be away until the next round. */
const patience = 10;

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
function claim(table: "payment" | "refund" | "tokenization"): Promise<Due[]> {
  const { asked, open, account } = sources[table];
  return db.$queryRaw<Due[]>`
    UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(asked)} = clock_timestamp()
     WHERE id IN (
       SELECT id FROM ${Prisma.raw(table)}
        WHERE ${Prisma.raw(open)} AND created_at < clock_timestamp() - make_interval(secs => ${askAfter}::int)
          AND (${Prisma.raw(asked)} IS NULL OR ${Prisma.raw(asked)} < clock_timestamp() - make_interval(secs =>
               CASE WHEN created_at > clock_timestamp() - interval '1 minute' THEN ${askAfter - 1}::int ELSE ${askAgain - 1}::int END))
        ORDER BY ${Prisma.raw(asked)} NULLS FIRST, id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
    RETURNING id, ${Prisma.raw(account)} AS account, status, CASE WHEN livemode THEN 0 ELSE
                (SELECT test_clock_ahead FROM business WHERE business.id = business_id) END::float8 AS ahead,
              extract(epoch FROM clock_timestamp() - created_at)::float8 AS age`;
}

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

const questions: Record<keyof typeof sources, (due: Due) => Promise<unknown>> = {
  payment: async ({ id, status, age }) => {
    await reconcilePayment(id);
    if (status === "requires_action" && age > giveUpAfter) await cancelAction(id);
  },
  refund: ({ id }) => reconcileRefunds({ refundId: id }),
  tokenization: ({ id }) => refreshSetup(id),
};

/**
 * Settles what nobody came back for: a crash between charge and settle, a reply that was lost, a page that was answered or
 * abandoned in a closed tab, a refund that takes its time. What the gateway does not know yet waits for the next round.
 */
export async function sweepPayments(): Promise<void> {
  for (const table of ["payment", "refund", "tokenization"] as const) {
    const failures = new Map<string, number>();
    for (let due = await claim(table); due.length > 0; due = due.length < atOnce ? [] : await claim(table)) {
      await each(due, async (one) => {
        const failed = failures.get(one.account) ?? 0;
        if (failed >= patience) return;
        try {
          await clock.ahead(one.ahead, () => questions[table](one));
          failures.set(one.account, 0);
        } catch (err) {
          failures.set(one.account, failed + 1);
          log.warn({ err, [table]: one.id }, "could not ask the gateway");
        }
      });
    }
  }
}

/** Several at a time: most of the time goes by waiting for the gateway. */
async function each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: side }, worker));
}
