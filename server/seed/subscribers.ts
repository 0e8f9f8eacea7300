import type { z } from "zod";
import { db } from "@/lib/core/db";
import { packageInput } from "@/lib/resources/packages/contract";
import { createPackage, updatePackage } from "@/lib/resources/packages/service";
import type { SubscriptionUpdate } from "@/lib/resources/subscriptions/contract";
import { createSubscription, updateSubscription } from "@/lib/resources/subscriptions/service";
import { cards, type Desk } from "./desk";
import type { History } from "./history";

const packages = {
  club: { name: "Reading club", amount: 1500, frequency: "monthly", description: "One novel a month" },
  box: {
    name: "Collector’s box",
    amount: 8900,
    frequency: "quarterly",
    description: "Signed first editions",
    metadata: { shelf: "B-7", supplier: "first-editions" },
    notes: "Order from the supplier three weeks before the quarter ends.",
  },
  crossword: { name: "Weekend crossword", amount: 500, frequency: "weekly", description: "By post every Friday" },
  members: { name: "Friends of the shop", amount: 6000, frequency: "yearly", description: "Ten per cent off" },
  summer: { name: "Summer reading", amount: 1900, frequency: "monthly", description: "June to August" },
} as const;

type Bought = keyof typeof packages;

/**
 * One subscription per state: payer, package and start. Reading club subscriptions started four months before a day of
 * the last weeks, so that each has past charges and an upcoming one.
 */
const subscribers = {
  active: { name: "marta.keller", bought: "club", months: 4, days: 5, time: "09:12" },
  long: { name: "david.okafor", bought: "box", months: 4, days: 6, time: "10:40" },
  ending: { name: "sophie.laurent", bought: "members", months: 1, days: 2, time: "11:05" },
  paused: { name: "henrik.nilsson", bought: "club", months: 4, days: 9, time: "13:20" },
  canceled: { name: "lucia.ferrari", bought: "club", months: 4, days: 12, time: "14:35" },
  completed: { name: "tomasz.zielinski", bought: "club", months: 4, days: 14, time: "15:50" },
  pastDue: { name: "amelie.dubois", bought: "club", months: 4, days: 8, time: "16:15" },
  unpaid: { name: "peter.vogel", bought: "club", months: 4, days: 16, time: "17:30" },
  created: { name: "nora.lindqvist", bought: "club", months: 0, days: 1, time: "18:45" },
  weekly: { name: "yuki.tanaka", bought: "crossword", months: 0, days: 75, time: "08:30" },
} as const satisfies Record<string, { name: string; bought: Bought; months: number; days: number; time: string }>;

export type Subscriber = keyof typeof subscribers;

const memberNumbers = Object.fromEntries(Object.keys(subscribers).map((who, index) => [who, 2101 + 7 * index]));

const notes: Partial<Record<Subscriber, string>> = {
  paused: "Away until spring. Asked to keep the parcels back, not to cancel.",
  long: "Collects the box at the counter: no parcel.",
  unpaid: "Called on Monday. Will bring cash to the shop.",
};

export interface Subscribed {
  packages: Record<Bought, string>;
  subscriptions: Record<Subscriber, string>;
}

/** @returns an object that fills while the history plays */
export function planSubscriptions(history: History, desk: Desk): Subscribed {
  const done = { packages: {}, subscriptions: {} } as Subscribed;
  planPackages(history, desk, done);
  for (const who of Object.keys(subscribers) as Subscriber[]) planSubscriber(history, desk, done, who);

  const update = (who: Subscriber, time: Date, input: SubscriptionUpdate): void =>
    history.at(time, () => desk.asStaff(() => updateSubscription(db, desk.actor, done.subscriptions[who], input)));
  update("active", history.daysAgo(70, "10:00"), { phone_no: "+49 30 5550142" });
  update("canceled", history.daysAgo(60, "12:30"), { status: "cancel" });
  update("completed", history.daysAgo(38, "09:30"), { cancel_at_period_end: true });
  update("ending", history.daysAgo(20, "16:00"), { cancel_at_period_end: true });
  update("paused", history.daysAgo(18, "11:45"), { status: "paused" });
  // Their new cards can be saved, but charges are declined.
  for (const [who, days] of [
    ["unpaid", 60],
    ["pastDue", 15],
  ] as const)
    planCard(history, desk, who, history.daysAgo(days, "19:10"), cards.empty);
  return done;
}

function planPackages(history: History, desk: Desk, done: Subscribed): void {
  const created = history.daysAgo(20, "09:00", 5);
  const bodies = Object.entries(packages) as [Bought, Omit<z.input<typeof packageInput>, "currency">][];
  for (const [name, body] of bodies)
    history.at(created, async () => {
      const input = packageInput.parse({ currency: "EUR", ...body });
      done.packages[name] = (await desk.asStaff(() => createPackage(db, desk.actor, input)))._id;
    });
  history.at(history.daysAgo(80, "17:00"), () => {
    const input = packageInput.parse({ currency: "EUR", ...packages.summer });
    return desk.asStaff(() => updatePackage(db, desk.actor, done.packages.summer, { ...input, status: "cancel" }));
  });
}

const emailOf = (who: Subscriber): string => `${subscribers[who].name}@example.com`;

function planSubscriber(history: History, desk: Desk, done: Subscribed, who: Subscriber): void {
  const { bought, months, days, time } = subscribers[who];
  const started = history.daysAgo(days, time, months);
  if (who !== "created") planCard(history, desk, who, new Date(started.getTime() - 40 * 60_000));
  history.at(started, async () => {
    const own = { metadata: { member_no: `M-${memberNumbers[who]}` }, notes: notes[who] ?? null };
    const input = { package_id: done.packages[bought], email: emailOf(who), phone_no: null, ...own };
    const { _id } = await desk.asShop(() => createSubscription(db, desk.actor, input));
    done.subscriptions[who] = _id;
  });
}

function planCard(history: History, desk: Desk, who: Subscriber, time: Date, number?: string): void {
  let token = "";
  history.at(time, async () => {
    const words = { title: "Card for your subscription", description: "Charged when a parcel leaves" };
    token = (await desk.requestCard({ email: emailOf(who), ...words })).token;
  });
  const card = number ?? (who === "long" ? cards.mastercard : cards.visa);
  // One card expires in the month of its last charge, before the next one.
  const expires = who === "active" ? history.daysAgo(subscribers.active.days, subscribers.active.time) : undefined;
  history.at(new Date(time.getTime() + 30 * 60_000), () => desk.saveCard(token, card, expires));
}
