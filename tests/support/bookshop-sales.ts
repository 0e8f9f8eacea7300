import { db } from "@/lib/core/db";
import { expire } from "@/lib/outbox/expiries";
import { payAt } from "./checkout";
import { call, type Row } from "./http";
import { makeAttempt } from "./money-rows";

const titles = [
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
  ["Calendar 2027", 1995],
  ["Audiobook download", 1299],
  ["Sheet music, four hands", 2860],
  ["Translation workshop", 14_500],
  ["Wrapped as a present", 3110],
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

/** A link that is created on its own, beside those of every day. */
const single = {
  active: {
    title: "Order 2041: four novels",
    amount: "6280",
    email: "ruth.bergman@example.com",
    description: "Four novels and a map, sent by post",
    reference: "2041",
    reference_2: "K-118",
  },
  paid: {
    title: "Order 2038: poetry",
    amount: "3450",
    email: "marta.keller@example.com",
    description: "Two volumes of poetry",
    reference: "2038",
  },
  refunded: { title: "Order 2022: atlas", amount: "7890", email: "oliver.grant@example.com", reference: "2022" },
  declined: { title: "Order 2039: crime series", amount: "5625", email: "sven.holm@example.com", reference: "2039" },
  bank: { title: "Order 2040: library order", amount: "38640", email: "carlos.mendes@example.com", reference: "2040" },
  unknown: { title: "Order 2037: graphic novels", amount: "6420", email: "pavel.novak@example.com", reference: "2037" },
  inactive: { title: "Order 2019: on hold", amount: "2400", email: "freya.larsen@example.com", reference: "2019" },
  expired: { title: "Order 1987: gift voucher", amount: "5000", email: "hannah.schulz@example.com", reference: "1987" },
  deleted: { title: "Order 1990: mistyped", amount: "900", email: "hannah.schulz@example.com", reference: "1990" },
} as const;

/** What a few weeks of selling look like. `hours`: how long ago each link is to have happened. */
export async function sales(businessId: number, key: string) {
  const hours = new Map<string, number>();
  const make = async (body: Record<string, unknown>): Promise<Row> => {
    const reply = await call("POST", "/payment-links", { key, body: { currency: "EUR", ...body } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.json.data;
  };

  /** One of many: mostly paid, some waiting, some declined; more of them of late, and fewer on some days. */
  const ordinary = async (n: number): Promise<void> => {
    const [title, cents] = titles[n % titles.length] ?? titles[0];
    const email = `${payers[(n * 7) % payers.length]}@example.com`;
    const currency = n % 11 === 5 ? "CHF" : "EUR";
    const { _id } = await make({ email, currency, amount: String(cents), title, reference: String(1900 + n) });
    if (n % 9 === 4) await payAt(`/pay?id=${_id}`, "4000000000000002");
    if (n % 6 !== 3) await payAt(`/pay?id=${_id}`, n % 4 === 1 ? "5555555555554444" : undefined);
    if (n % 13 === 6)
      await call("POST", `/payment-links/${_id}/refunds`, {
        key,
        body: { amount: "500", reason: "Damaged in the post" },
      });
    hours.set(_id, 5 + ((n * 37) % 58) ** 1.74 + (n % 7));
  };
  const most = 84;
  for (let n = 0; n < most; n += 6) await Promise.all([0, 1, 2, 3, 4, 5].map((i) => ordinary(n + i)));

  const rows = {} as Record<keyof typeof single, Row>;
  for (const name of Object.keys(single) as (keyof typeof single)[]) rows[name] = await make(single[name]);
  const at = (name: keyof typeof single) => `/pay?id=${rows[name]._id}`;
  await payAt(at("paid"));
  await payAt(at("refunded"));
  await call("POST", `/payment-links/${rows.refunded._id}/refunds`, {
    key,
    body: { amount: "2890", reason: "The cover was torn" },
  });
  const { location: declined } = await payAt(at("declined"), "4000000000009995");
  const { location: challenge } = await payAt(at("bank"), "4000000000003220");
  const unknown = await db.paymentLink.update({ where: { id: rows.unknown._id }, data: { status: "Processing" } });
  const { id: unknownPayment } = await makeAttempt(unknown, {
    status: "unknown",
    gateway: "stripe",
    card_last4: "4242",
    asked_at: new Date("2999-01-01"),
  });
  await call("POST", `/payment-links/${rows.inactive._id}/deactivate`, { key });
  await call("DELETE", `/payment-links/${rows.deleted._id}`, { key });
  await db.paymentLink.update({ where: { id: rows.expired._id }, data: { expires_at: new Date(Date.now() - 60_000) } });
  await expire("payment_link", { businessId, livemode: false }, [rows.expired._id]); // not waited for until the next minute
  for (const [name, ago] of Object.entries({ refunded: 76, expired: 420, inactive: 190, paid: 3, declined: 2 }))
    hours.set(rows[name as keyof typeof rows]._id, ago);

  const paymentOf = async (name: keyof typeof single) =>
    db.payment.findFirstOrThrow({ where: { payment_link_id: rows[name]._id } });
  const [paid, refunded, failed] = await Promise.all([paymentOf("paid"), paymentOf("refunded"), paymentOf("declined")]);
  const ids = Object.fromEntries(Object.entries(rows).map(([name, { _id }]) => [name, _id])) as Record<
    keyof typeof single,
    string
  >;
  return {
    hours,
    ids,
    payments: { paid: paid.id, refunded: refunded.id, failed: failed.id, unknown: unknownPayment },
    receipts: { paid: paid.receipt_token, refunded: refunded.receipt_token },
    /** The bank's page, and the address of a declined attempt. */
    challenge,
    declined,
  };
}
