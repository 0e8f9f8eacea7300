import type { Role } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expire } from "@/lib/outbox/expiries";
import { makeReset } from "@/lib/resources/registrations/service";
import { billForMonths } from "./bookshop-billing";
import { sales } from "./bookshop-sales";
import { saveCardAt } from "./checkout";
import { call, type Row } from "./http";
import { happenedEarlier } from "./past";
import { startReceiver, until } from "./receiver";
import { create } from "./samples";
import { plantSession, testPassword, testPasswordHash } from "./session";
import { attemptSignIn, callAs } from "./sign-in";
import { someAddress } from "./staff";
import { listen } from "./webhooks";

async function person(businessId: number, name: string, email: string, role: Role): Promise<string> {
  const id = newId("usr");
  const memberships = { create: { business_id: businessId, role } };
  await db.user.create({ data: { id, email, name, password_hash: await testPasswordHash(), memberships } });
  return id;
}

const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Signs in over HTTP, because the account's page shows where each session comes from. */
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
  /** The Cookie header of its owner, who has signed in. */
  cookie: string;
}

/** A business that has an owner and nothing else. */
export async function createEmptyShop(): Promise<Desk> {
  const { id } = await db.business.create({ data: { name: "Corner Books", timezone: "Europe/Berlin" } });
  const email = `ben@${id}.corner-books.example`; // e-mails are unique, and each worker has such a shop
  const { name, value } = await plantSession(await person(id, "Ben Carter", email, "owner"), id);
  return { businessId: id, cookie: `${name}=${value}` };
}

/** A bookshop with some months behind it: everything that the pages can show is there, in every state. */
export async function createBookshop() {
  const business = await db.business.create({ data: { name: "Harbour Books", timezone: "Europe/Berlin" } });
  const businessId = business.id;
  const at = `${businessId}.harbour-books.example`; // e-mails are unique
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

  await ask("PUT", "/settings", {
    support_email: "hello@harbour-books.example",
    support_phone: "+49 40 5550128",
    thank_you_text: "Your books leave our house tomorrow.",
    brand_colour: "#0f5c4c",
  });
  const { key } = (await ask("POST", "/api-keys", { name: "Web shop", scopes: ["read", "write"] })) as unknown as {
    key: string;
  };
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const exporter = await ask("POST", "/api-keys", {
    name: "Accounting export",
    scopes: ["payments:read", "reports:read"],
    expires_at: inAMonth,
  });
  const old = await ask("POST", "/api-keys", { name: "Old web shop", scopes: ["read"] });
  await ask("DELETE", `/api-keys/${old._id}`);
  const invited = (await ask("POST", "/team/invitations", { email: `lena@${at}`, role: "support" })) as unknown as {
    accept_url: string;
  };

  const subscriptions = await billForMonths(businessId, key);

  // From here on two systems of the shop are told what happens; one of them is broken.
  const shop = await startReceiver();
  const books = await startReceiver((_, response) => response.writeHead(503).end("Down for maintenance until noon."));
  const good = await listen({ key }, shop.url);
  const bad = await listen({ key }, books.url, ["payment.refunded"]);
  const links = await sales(businessId, key);
  await call("POST", `/webhook-endpoints/${good.id}/sample`, { key, body: { type: "subscription.canceled" } });

  const tokens = await cardsOf(businessId, key);
  await until(
    "the deliveries",
    async () => (await db.webhookDelivery.count({ where: { endpoint_id: good.id, status: "pending" } })) === 0,
    20,
  );
  await until(
    "a failure",
    async () => (await db.webhookDelivery.count({ where: { endpoint_id: bad.id, attempt_count: { gt: 0 } } })) > 0,
  );
  await Promise.all([shop.stop(), books.stop()]);
  await db.webhookDelivery.updateMany({
    where: { endpoint_id: bad.id, status: "pending" },
    data: { next_attempt_at: new Date(Date.now() + 4 * 3_600_000) },
  });
  const named = (id: string, url: string, description: string) =>
    db.webhookEndpoint.update({ where: { id }, data: { url, description } });
  await named(good.id, "https://shop.harbour-books.example/hooks/paydesk", "Marks orders as paid");
  await named(bad.id, "https://accounts.harbour-books.example/paydesk", "Bookkeeping");

  const gone = {
    gateway: "stripe",
    external_id: "acct_1PqHarbourBooks",
    secrets: "",
    hint: "sk_test_51Pq…f3Qx",
    replaced_at: new Date(),
  };
  await db.gatewayAccount.create({ data: { id: newId("gwa"), business_id: businessId, livemode: false, ...gone } });
  // What callers get wrong, for the log of requests.
  await call("POST", "/payment-links", {
    key,
    body: { email: "marta.keller@", currency: "EUR", amount: "450", title: "" },
  });
  await call("GET", "/payment-links/order-2041", { key });
  await call("POST", "/webhook-endpoints", { key: "sk_test_wrong", body: {} });
  await until(
    "the mails",
    async () => (await db.email.count({ where: { business_id: businessId, status: "queued" } })) === 0,
  );
  await happenedEarlier(links.hours);
  await db.email.updateMany({
    where: { business_id: businessId, to: "henrik.nilsson@example.com", template: "receipt" },
    data: { status: "failed", last_error: "550 5.1.1 The mailbox does not exist." },
  });
  await until(
    "the requests",
    async () => (await db.apiRequest.count({ where: { business_id: businessId, status: 404 } })) > 0,
  );

  const first = <Row extends { id: string }>(row: Row): string => row.id;
  const cardOf = async (of: { email: string } | { token: string }): Promise<string> =>
    first(await db.tokenization.findFirstOrThrow({ where: { business_id: businessId, ...of } }));
  const packageOf = async (name: string): Promise<string> =>
    first(await db.package.findFirstOrThrow({ where: { business_id: businessId, name } }));
  const { url: reset } = await makeReset(db, owner);
  return {
    businessId,
    cookie,
    subscriptions,
    links: links.ids,
    payments: links.payments,
    challenge: links.challenge,
    declined: links.declined,
    receipts: links.receipts,
    tokens,
    cards: {
      charged: await cardOf({ email: "marta.keller@example.com" }),
      pending: await cardOf({ token: tokens.pending }),
      revoked: await cardOf({ token: tokens.revoked }),
      expired: await cardOf({ token: tokens.expired }),
    },
    packages: { club: await packageOf("Reading club"), summer: await packageOf("Summer reading") },
    endpoint: { good: good.id, bad: bad.id },
    event: first(
      await db.event.findFirstOrThrow({ where: { resource_id: links.ids.paid, type: "payment_link.paid" } }),
    ),
    key: String(exporter._id),
    request: first(await db.apiRequest.findFirstOrThrow({ where: { business_id: businessId, status: 422 } })),
    email: first(await db.email.findFirstOrThrow({ where: { payment_link_id: links.ids.paid, template: "receipt" } })),
    reset: new URL(reset).pathname,
    invitation: new URL(invited.accept_url).pathname,
  };
}

export type Bookshop = Awaited<ReturnType<typeof createBookshop>>;

/** A card to be saved, and one in every other state. Returns the tokens. */
async function cardsOf(businessId: number, key: string) {
  const made = async (email: string, state: "pending" | "active" | "expired" | "revoked"): Promise<string> => {
    const over = { email, title: "Card for your orders", description: "Saved once, charged when an order ships" };
    const id = await create(key, "tokenizations", over);
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    if (state === "active" || state === "revoked") await saveCardAt(`/activate/${token}`);
    if (state === "revoked") await call("DELETE", `/tokenizations/${id}`, { key });
    if (state === "expired") {
      const expires_at = new Date(Date.now() - 3_600_000);
      await db.tokenization.update({ where: { id }, data: { expires_at } });
      await expire("tokenization", { businessId, livemode: false }, [id]);
    }
    return token;
  };
  return {
    pending: await made("ines.moreau@example.com", "pending"),
    active: await made("freya.larsen@example.com", "active"),
    expired: await made("oliver.grant@example.com", "expired"),
    revoked: await made("sven.holm@example.com", "revoked"),
  };
}
