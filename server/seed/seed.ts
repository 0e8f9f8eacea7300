import { createApiKey } from "@/lib/auth/keys";
import { db, execute, inOneTransaction, Prisma } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import type { NotificationKind } from "@/lib/resources/notifications/types";
import { planCustomers } from "./customers";
import { Desk } from "./desk";
import { History } from "./history";
import { type Endpoints, recordRequests, recordWebhooks } from "./records";
import { type CardState, planCards, planOrders, planSingles, type Singles } from "./sales";
import { planSubscriptions, type Subscribed } from "./subscribers";

export interface Seeded extends Singles, Subscribed {
  tokens: Record<CardState, string>;
  endpoints: Endpoints;
}

/**
 * Fills a business's empty test mode with half a year of demo data: links in every state, payments, a refund,
 * subscriptions, saved cards, mails, events, webhooks. The services write it in one transaction, so that workers see
 * all of it or nothing.
 * @throws Error when the business does not exist, its test mode has data, or its test clock is ahead
 */
export function seedBusiness(businessId: number): Promise<Seeded> {
  return inOneTransaction(async () => {
    const business = await emptyBusiness(businessId);
    const history = new History(business);
    const desk = await history.during(history.daysAgo(21, "09:00", 5), () => Desk.open(businessId));
    const inAMonth = new Date(history.now.getTime() + 30 * 86_400_000);
    const scopes = ["payments:read", "reports:read"];
    history.at(history.daysAgo(60, "10:15"), () =>
      createApiKey({ businessId, livemode: false, name: "Accounting export", scopes, expiresAt: inAMonth }),
    );
    const subscribed = planSubscriptions(history, desk);
    planOrders(history, desk);
    const tokens = planCards(history, desk);
    const singles = planSingles(history, desk);
    planCustomers(history, desk);
    const used = history.minutesAgo(9);
    history.at(used, () => db.apiKey.update({ where: { id: desk.actor.who.id }, data: { last_used_at: used } }));
    await history.play();
    await chooseNotifications(businessId, history);
    await payOutWeekly(businessId, history);
    // Settled payments need no callbacks. Only the one that waits for its payer keeps its future ones.
    await db.sandboxCallback.deleteMany({ where: { account: String(businessId), due_at: { lte: new Date() } } });
    const endpoints = await recordWebhooks(history, desk);
    await saveViews(businessId);
    await recordRequests(history, desk, singles.links);
    return { ...subscribed, ...singles, tokens, endpoints };
  });
}

/** Chooses notifications for the demo's owner, because test mode shows none by default. Those from before yesterday are read. */
async function chooseNotifications(business_id: number, history: History): Promise<void> {
  const owner = await db.membership.findFirst({
    where: { business_id, role: "owner" },
    orderBy: { created_at: "asc" },
  });
  if (!owner) return;
  const kinds = [
    "payment_failed",
    "dispute_opened",
    "dispute_ended",
    "subscription_ended",
    "payout_failed",
  ] satisfies NotificationKind[];
  const since = history.daysAgo(60, "10:00").toISOString();
  const bell: Record<string, string> = Object.fromEntries(kinds.map((kind) => [kind, since]));
  const own = { business_id, user_id: owner.user_id, livemode: false };
  const read_until = history.daysAgo(4, "18:00");
  await db.notificationState.upsert({
    where: { business_id_user_id_livemode: own },
    create: { ...own, bell, read_until },
    update: { bell, read_until },
  });
}

/** Saves views for the owners that find rows of the demo. */
async function saveViews(business_id: number): Promise<void> {
  const owners = await db.membership.findMany({ where: { business_id, role: "owner" }, select: { user_id: true } });
  const views = [
    { list: "payment_links", name: "Unpaid over €50", query: "amount_from=50&status=Active" },
    { list: "payments", name: "Failed payments", query: "status=failed" },
    { list: "subscriptions", name: "Past due", query: "status=past_due" },
  ];
  await db.savedView.createMany({
    data: owners.flatMap(({ user_id }) => views.map((view) => ({ id: newId("svw"), business_id, user_id, ...view }))),
    skipDuplicates: true,
  });
}

/** As many weeks as the first import of the balance looks back. */
const weeksOfPayouts = 5;

async function payOutWeekly(businessId: number, history: History): Promise<void> {
  const { payouts } = sandbox(String(businessId));
  for (let week = weeksOfPayouts; week > 0; week--) {
    const now = history.daysAgo(week * 7, "06:00");
    await payouts({ since: now, now }, null);
  }
  // The business may have been imported before it had data.
  await execute(
    db,
    Prisma.sql`UPDATE balance_import SET next_at = clock_timestamp() WHERE business_id = ${businessId} AND NOT livemode`,
  );
}

async function emptyBusiness(id: number) {
  // The lock serializes concurrent seeds, so that the second one finds data.
  await execute(db, Prisma.sql`SELECT FROM business WHERE id = ${id} FOR NO KEY UPDATE`);
  const business = await db.business.findUnique({ where: { id } });
  if (!business) throw new Error(`There is no business ${id}.`);
  const where = { business_id: id, livemode: false };
  const found = [
    await db.paymentLink.findFirst({ where, select: { id: true } }),
    await db.package.findFirst({ where, select: { id: true } }),
    await db.tokenization.findFirst({ where, select: { id: true } }),
    await db.webhookEndpoint.findFirst({ where, select: { id: true } }),
  ];
  if (found.some((row) => row !== null))
    throw new Error(`The test mode of business ${id} has data already. Demo data goes into an empty one only.`);
  if (business.test_clock_ahead > 0)
    throw new Error(`The test clock of business ${id} is ahead. Demo data needs one that was never advanced.`);
  return business;
}
