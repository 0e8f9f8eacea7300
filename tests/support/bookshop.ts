import type { Role } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Prisma } from "@/lib/generated/prisma/client";
import { unsubscribeLink } from "@/lib/outbox/notifications/unsubscribe";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { renewLinks } from "@/lib/resources/team/invitations";
import { hasToken } from "@/lib/resources/tokenizations/resource";
import { seedBusiness } from "@/server/seed/seed";
import type { Row } from "./http";
import { makeAttempt } from "./money-rows";
import { insertDispute, insertPayout } from "./paid";
import { until } from "./receiver";
import { plantSession, testPassword, testPasswordHash } from "./session";
import { attemptSignIn, callAs } from "./sign-in";
import { makeLink, someAddress } from "./staff";

async function person(businessId: number, name: string, email: string, role: Role): Promise<string> {
  const id = newId("usr");
  const memberships = { create: { business_id: businessId, role } };
  const verified = { email_verified_at: new Date(), password_hash: await testPasswordHash() };
  await db.user.create({ data: { id, email, name, ...verified, memberships } });
  return id;
}

const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Signs in over HTTP, because the account page shows the client of each session. */
async function cookieOf(email: string): Promise<string> {
  const { cookie } = await attemptSignIn({ email, password: testPassword }, { address: someAddress(), agent });
  if (!cookie) throw new Error(`could not sign in: ${email}`);
  return cookie;
}

async function answered(reply: Promise<{ status: number; text: string; json: { data: Row } }>): Promise<Row> {
  const { status, text, json } = await reply;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json.data;
}

export interface Desk {
  businessId: number;
  /** The signed-in owner's Cookie header. */
  cookie: string;
}

/** A business with an owner and no data. */
export async function createEmptyShop(): Promise<Desk> {
  const { id } = await db.business.create({ data: { name: "Corner Books", timezone: "Europe/Berlin" } });
  const email = `ben@${id}.corner-books.example`; // e-mails are unique, and each worker has such a business
  const { name, value } = await plantSession(await person(id, "Ben Carter", email, "owner"), id);
  return { businessId: id, cookie: `${name}=${value}` };
}

/** A bookshop with the demo data and additional rows for tests. */
export async function createBookshop() {
  const business = await db.business.create({ data: { name: "Harbour Books", timezone: "Europe/Berlin" } });
  const businessId = business.id;
  const at = `${businessId}.harbour-books.example`;
  const owner = await person(businessId, "Ida Brandt", `ida@${at}`, "owner");
  const people = [
    ["Jonas Weber", "jonas", "admin"],
    ["Priya Nair", "priya", "developer"],
    ["Tom Adeyemi", "tom", "support"],
    ["Clara Fischer", "clara", "viewer"],
  ] as const;
  for (const [name, at_, role] of people) await person(businessId, name, `${at_}@${at}`, role);
  const cookie = await cookieOf(`ida@${at}`);
  const ask = (method: string, path: string, body?: unknown) => answered(callAs(cookie, method, path, body) as never);
  const seeded = await seedBusiness(businessId);

  await ask("PUT", "/settings", {
    support_email: "hello@harbour-books.example",
    support_phone: "+49 40 5550128",
    seller_details: "Torstraße 1\n10119 Berlin\nVAT DE123456789",
    thank_you_text: "Your books leave our house tomorrow.",
    brand_colour: "#0f5c4c",
  });
  const old = await ask("POST", "/api-keys", { name: "Old web shop", scopes: ["read"] });
  await ask("DELETE", `/api-keys/${old._id}`);
  await ask("POST", "/team/invitations", { email: `lena@${at}`, role: "support" });
  const [invited] = await renewLinks(db, `lena@${at}`);
  const links = { ...seeded.links, ...(await moreLinks(businessId)) };
  const unknown = await db.payment.findFirstOrThrow({ where: { payment_link_id: links.unknown } });
  const gone = {
    gateway: "stripe",
    external_id: "acct_1PqHarbourBooks",
    secrets: "",
    hint: "sk_test_51Pq…f3Qx",
    replaced_at: new Date(),
  };
  await db.gatewayAccount.create({ data: { id: newId("gwa"), business_id: businessId, livemode: false, ...gone } });
  await db.email.updateMany({
    where: { business_id: businessId, to: "henrik.nilsson@example.com", template: "receipt" },
    data: { status: "failed", last_error: "550 5.1.1 The mailbox does not exist." },
  });
  await until(
    "the mails",
    async () => (await db.email.count({ where: { business_id: businessId, status: "queued" } })) === 0,
  );

  const first = <Row extends { id: string }>(row: Row): string => row.id;
  const cardOf = async (of: Prisma.TokenizationWhereInput): Promise<string> =>
    first(await db.tokenization.findFirstOrThrow({ where: { business_id: businessId, ...of } }));
  const receiptOf = async (id: string): Promise<string | null> =>
    (await db.payment.findUniqueOrThrow({ where: { id } })).receipt_token;
  const { paid, refunded, declined, bank } = seeded.attempts;
  if (bank.result.outcome !== "action") throw new Error(`The bank answered ${bank.result.outcome}.`);
  const exporter = await db.apiKey.findFirstOrThrow({ where: { business_id: businessId, name: "Accounting export" } });
  const { url: reset } = await createPasswordReset(db, owner);
  return {
    businessId,
    cookie,
    subscriptions: seeded.subscriptions,
    links,
    payments: {
      paid: paid.paymentId,
      refunded: refunded.paymentId,
      failed: declined.paymentId,
      unknown: unknown.id,
    },
    dispute: await insertDispute({
      _id: (await makeLink(businessId, { email: "nora.lind@example.com", title: "Order 2207" })).id,
    }),
    /** The challenge's page, and the page of a declined attempt. */
    challenge: bank.result.url,
    declined: `/pay?id=${links.declined}&attempt=${declined.paymentId}`,
    receipts: { paid: await receiptOf(paid.paymentId), refunded: await receiptOf(refunded.paymentId) },
    tokens: seeded.tokens,
    payout: await insertPayout({ _id: links.paid }),
    cards: {
      charged: await cardOf({ email: "marta.keller@example.com" }),
      pending: await cardOf(hasToken(seeded.tokens.pending)),
      revoked: await cardOf(hasToken(seeded.tokens.revoked)),
      expired: await cardOf(hasToken(seeded.tokens.expired)),
    },
    packages: { club: seeded.packages.club, summer: seeded.packages.summer },
    endpoint: seeded.endpoints,
    event: first(await db.event.findFirstOrThrow({ where: { resource_id: links.paid, type: "payment_link.paid" } })),
    key: exporter.id,
    request: first(await db.apiRequest.findFirstOrThrow({ where: { business_id: businessId, status: 422 } })),
    email: first(await db.email.findFirstOrThrow({ where: { payment_link_id: links.paid, template: "receipt" } })),
    reset: new URL(reset).pathname,
    unsubscribe: new URL(
      unsubscribeLink({ businessId, livemode: false, email: `ida@${at}`, kinds: ["payment_received", "digest"] }),
    ).pathname,
    invitation: new URL(String(invited?.url)).pathname,
  };
}

export type Bookshop = Awaited<ReturnType<typeof createBookshop>>;

/** A deleted link, and a link whose outcome stays unknown because nothing looks it up at the gateway. */
async function moreLinks(businessId: number): Promise<{ unknown: string; deleted: string }> {
  const deleted = await makeLink(businessId, {
    title: "Order 1990: mistyped",
    amount_cents: 900,
    email: "hannah.schulz@example.com",
    deleted_at: new Date(),
  });
  const unknown = await makeLink(businessId, {
    title: "Order 2037: graphic novels",
    amount_cents: 6420,
    email: "pavel.novak@example.com",
    status: "Processing",
  });
  const asked_at = new Date("2999-01-01");
  await makeAttempt(unknown, { status: "unknown", gateway: "stripe", card_last4: "4242", asked_at });
  return { unknown: unknown.id, deleted: deleted.id };
}
