import { db } from "@/lib/core/db";
import { switchPaymentLink } from "@/lib/resources/payment-links/service";
import { revokeTokenization } from "@/lib/resources/tokenizations/service";
import { type Attempted, cards, type Desk } from "./desk";
import type { History } from "./history";

/** Titles and prices in cents. */
const items = [
  ["Three paperbacks", 3450],
  ["The Sea, signed edition", 5900],
  ["Children’s picture books", 4275],
  ["Gift voucher", 5000],
  ["Atlas of the North Sea", 7890],
  ["School reading list, class 7b", 16_520],
  ["Cookbook and tea towel", 3980],
  ["Reading lamp", 4490],
  ["Poetry evening, two seats", 2400],
  ["Second-hand encyclopaedia", 12_000],
  ["Wall calendar", 1995],
  ["Audiobook download", 1299],
  ["Sheet music, four hands", 2860],
  ["Translation workshop", 14_500],
  ["Gift-wrapped novel", 3110],
  ["Library order, spring list", 38_640],
  ["Graphic novel box", 6420],
  ["Travel guides, Portugal", 2750],
] as const;

const payers = [
  "marta.keller",
  "oliver.grant",
  "ines.moreau",
  "sven.holm",
  "david.okafor",
  "amelie.dubois",
  "ruth.bergman",
  "carlos.mendes",
  "hannah.schulz",
  "yuki.tanaka",
  "pavel.novak",
  "freya.larsen",
] as const;

const orderCount = 72;
const maxDaysAgo = 58;
const minute = 60_000;
const after = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * minute);

/** Plans eight weeks of orders, denser towards now: paid, declined first, open, partly refunded. */
export function planOrders(history: History, desk: Desk): void {
  const orders = Array.from({ length: orderCount }, (_, n) => {
    const days = 1 + Math.floor(maxDaysAgo * (((n * 37) % 59) / 59) ** 1.25);
    const time = `${String(8 + ((n * 5) % 11)).padStart(2, "0")}:${String((n * 23) % 60).padStart(2, "0")}`;
    return { n, days, created: history.daysAgo(days, time) };
  }).sort((a, b) => a.created.getTime() - b.created.getTime());
  for (const [index, order] of orders.entries()) planOrder(history, desk, { ...order, reference: `W-${301 + index}` });
}

interface Order {
  n: number;
  days: number;
  created: Date;
  reference: string;
}

function planOrder(history: History, desk: Desk, { n, days, created, reference }: Order): void {
  const round = Math.floor(n / items.length);
  const [title, cents] = items[(n * 5 + round * 7) % items.length] ?? items[0];
  let id = "";
  history.at(created, async () => {
    const email = `${payers[(n * 7 + round * 5) % payers.length]}@example.com`;
    const currency = n % 11 === 5 ? "CHF" : "EUR";
    const metadata = { order_id: reference, channel: n % 3 === 0 ? "shop" : "web" };
    id = (await desk.createLink({ email, currency, amount: cents, title, reference, metadata }))._id;
  });
  const paid = after(created, 4 + ((n * 13) % 90));
  if (n % 9 === 4) history.at(paid, () => desk.pay(id, cards.declined));
  if (n % 6 === 3) return;
  history.at(after(paid, 2), () => desk.pay(id, n % 4 === 1 ? cards.mastercard : cards.visa));
  // No refund in the last days: the failing webhook endpoint must miss exactly one.
  if (n % 13 === 6 && days > 5) history.at(after(paid, 2_880), () => desk.refund(id, 500, "Damaged in the post"));
}

const singles = {
  active: {
    title: "Order 2041: four novels",
    amount: 6280,
    email: "ruth.bergman@example.com",
    description: "Four novels and a map, sent by post",
    reference: "2041",
    reference_2: "K-118",
    metadata: { order_id: "2041", channel: "web", parcel: "map-tube" },
    notes: "Ruth asked for the map in a tube, not folded.\nPosts on Thursday once it is paid.",
  },
  paid: {
    title: "Order 2038: poetry",
    amount: 3450,
    email: "marta.keller@example.com",
    description: "Two volumes of poetry",
    reference: "2038",
    metadata: { order_id: "2038", channel: "shop", shelf: "B-7" },
  },
  refunded: { title: "Order 2022: atlas", amount: 7890, email: "oliver.grant@example.com", reference: "2022" },
  disputed: {
    title: "Order 2031: signed first edition",
    amount: 18_500,
    email: "pavel.novak@example.com",
    reference: "2031",
    metadata: { order_id: "2031", parcel: "RR 118 204 559 DE" },
    notes: "Sent by registered post. The signature of the delivery is in the shop’s mailbox.",
  },
  transferred: {
    title: "Order 2027: school library",
    amount: 48_000,
    email: "ines.moreau@example.com",
    reference: "2027",
  },
  declined: { title: "Order 2039: crime series", amount: 5625, email: "sven.holm@example.com", reference: "2039" },
  bank: { title: "Order 2040: library order", amount: 38_640, email: "carlos.mendes@example.com", reference: "2040" },
  inactive: { title: "Order 2019: on hold", amount: 2400, email: "freya.larsen@example.com", reference: "2019" },
  expired: { title: "Order 1987: gift voucher", amount: 5000, email: "hannah.schulz@example.com", reference: "1987" },
} as const;

export type Single = keyof typeof singles;

export interface Singles {
  links: Record<Single, string>;
  attempts: Record<"paid" | "refunded" | "disputed" | "declined" | "bank", Attempted>;
  requests: Partial<Record<Single, string>>;
}

export const undeliveredRefundHours = 50;

/** @returns an object that fills while the history plays */
export function planSingles(history: History, desk: Desk): Singles {
  const done = { links: {}, attempts: {}, requests: {} } as Singles;
  const create = (name: Single, time: Date, over: { expires_at?: string } = {}): void => {
    history.at(time, async () => {
      done.links[name] = (await desk.createLink({ currency: "EUR", ...singles[name], ...over }))._id;
    });
  };
  const pay = (name: keyof Singles["attempts"], time: Date, number: string): void =>
    history.at(time, async () => {
      done.attempts[name] = await desk.pay(done.links[name], number);
    });

  create("expired", history.daysAgo(18, "11:20"), { expires_at: history.daysAgo(11, "18:00").toISOString() });
  create("inactive", history.hoursAgo(190));
  history.at(history.hoursAgo(166), () =>
    desk.asStaff(() => switchPaymentLink(db, desk.actor, done.links.inactive, "Inactive")),
  );
  create("refunded", history.hoursAgo(76));
  pay("refunded", history.hoursAgo(75.5), cards.visa);
  history.at(history.hoursAgo(undeliveredRefundHours), () =>
    desk.refund(done.links.refunded, 2890, "The cover was torn"),
  );
  create("transferred", history.hoursAgo(140));
  history.at(history.hoursAgo(60), () => {
    const day = history.hoursAgo(62).toISOString().slice(0, 10);
    return desk.markTransferred(done.links.transferred, day, "Statement 47, line 3");
  });
  create("disputed", history.hoursAgo(98));
  pay("disputed", history.hoursAgo(97), cards.disputed);
  history.at(history.hoursAgo(96.9), () => desk.hearOfDispute(done.attempts.disputed));
  create("paid", history.minutesAgo(190));
  pay("paid", history.minutesAgo(176), cards.visa);
  create("declined", history.minutesAgo(130));
  pay("declined", history.minutesAgo(118), cards.empty);
  create("active", history.minutesAgo(34));
  create("bank", history.minutesAgo(9));
  pay("bank", history.minutesAgo(2), cards.threeDSecure);
  return done;
}

export type CardState = "pending" | "active" | "expired" | "revoked";

/** Plans a saved card per state. @returns their tokens, filled while the history plays */
export function planCards(history: History, desk: Desk): Record<CardState, string> {
  const tokens = {} as Record<CardState, string>;
  const requested = (state: CardState, email: string, time: Date, then: (id: string) => void = () => undefined) =>
    history.at(time, async () => {
      const words = { title: "Card for your orders", description: "Saved once, charged when an order ships" };
      const { _id, token } = await desk.requestCard({ email, ...words });
      tokens[state] = token;
      then(_id);
    });
  let revoked = "";
  requested("revoked", "sven.holm@example.com", history.daysAgo(40, "14:05"), (id) => {
    revoked = id;
  });
  history.at(history.daysAgo(40, "15:30"), () => desk.saveCard(tokens.revoked));
  history.at(history.daysAgo(12, "09:45"), () => desk.asStaff(() => revokeTokenization(db, desk.actor, revoked)));
  requested("expired", "oliver.grant@example.com", history.daysAgo(9, "16:10"));
  requested("active", "freya.larsen@example.com", history.daysAgo(6, "10:30"));
  history.at(history.daysAgo(6, "12:15"), () => desk.saveCard(tokens.active));
  requested("pending", "ines.moreau@example.com", history.hoursAgo(2));
  return tokens;
}
