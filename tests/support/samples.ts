import { createHash } from "node:crypto";
import type { Resource } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { type Endpoint, examplePath } from "@/lib/http/endpoint";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { logoExample } from "@/lib/resources/settings/contract";
import { payAt, saveCardAt } from "./checkout";
import { call } from "./http";
import { insertDispute, insertPayment, insertPayout, insertRefund, reopenPayment } from "./paid";
import { asOwner } from "./postgres";

interface Post {
  path: string;
  body: (key: string) => Promise<Record<string, unknown>>;
}

interface Sample {
  /** The resource's name in its 404. */
  noun: string;
  /** The fields that a create with {} reports, in the specification's order. */
  required: string[];
  create: Post | ((link: { _id: string }) => Promise<string>);
  /** A valid body of an update. */
  update: Record<string, unknown>;
  /** Prepares the row for a DELETE that succeeds. */
  makeRemovable?: (id: string) => Promise<unknown>;
  /** A well-formed id without a row. */
  absentId: string;
}

const absent = "00000000000000000000000000000000000a";

/** What paths begin with: the resources, and what belongs to the scope of webhook endpoints or payments. */
export type Kind = Resource | "webhook_deliveries" | "unknown_charges";

export const samples = {
  tokenizations: {
    noun: "Tokenization",
    required: ["email", "title", "description"],
    create: {
      path: "/tokenizations/create-token",
      body: async () => ({ email: "ada@example.com", title: "Card on file", description: "For later orders" }),
    },
    update: {},
    makeRemovable: activate,
    absentId: `tkn_${absent}`,
  },
  payment_links: {
    noun: "Payment link",
    required: ["currency", "email", "amount", "title"],
    create: {
      path: "/payment-links",
      body: async () => ({ email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" }),
    },
    update: { email: "ada@example.com", currency: "EUR", amount: "2000", title: "Order 1001, changed" },
    absentId: `pl_${absent}`,
  },
  packages: {
    noun: "Package",
    required: ["name", "amount", "currency", "frequency"],
    create: {
      path: "/packages",
      body: async () => ({ name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly" }),
    },
    update: { name: "Reading club", amount: "1600", currency: "EUR", frequency: "monthly" },
    absentId: `pkg_${absent}`,
  },
  subscriptions: {
    noun: "Subscription",
    required: ["package_id", "email"],
    create: {
      path: "/subscriptions",
      // Without a saved card, no charge is in flight when it is deleted.
      body: async (key) => ({ package_id: await create(key, "packages"), email: "grace@example.com" }),
    },
    update: { phone_no: "+4915550100" },
    absentId: `sub_${absent}`,
  },
  payments: { noun: "Payment", required: [], create: insertPayment, update: {}, absentId: `pay_${absent}` },
  test_clock: {
    noun: "Test clock",
    required: ["to"],
    create: { path: "/test-clock", body: inOneMinute },
    update: {},
    absentId: "",
  },
  settings: {
    noun: "Settings",
    required: [],
    create: insertPayment, // without the API: keys cannot create it
    update: { dunning_days: [3, 5], dunning_end: "cancel" },
    absentId: "",
  },
  gateway_accounts: {
    noun: "Gateway account",
    required: ["secret_key"],
    create: insertGatewayAccount,
    update: {},
    absentId: `gwa_${absent}`,
  },
  unknown_charges: {
    noun: "Unknown charge",
    required: [],
    create: insertUnknownCharge,
    update: {},
    absentId: `uch_${absent}`,
  },
  audit_log: { noun: "Audit entry", required: [], create: insertPayment, update: {}, absentId: "" },
  events: { noun: "Event", required: [], create: firstEventOf, update: {}, absentId: `evt_${absent}` },
  requests: { noun: "Request", required: [], create: insertRequest, update: {}, absentId: `req_${absent}` },
  webhook_endpoints: {
    noun: "Webhook endpoint",
    required: ["url"],
    create: {
      path: "/webhook-endpoints",
      // Subscribes to an event type that these tests never cause.
      body: async (key) => {
        await deleteEndpoints(key);
        return { url: "https://hooks.invalid/paydesk", events: ["tokenization.expired"] };
      },
    },
    update: { description: "Changed" },
    absentId: `whe_${absent}`,
  },
  emails: { noun: "E-mail", required: [], create: mailOf, update: {}, absentId: `eml_${absent}` },
  webhook_deliveries: {
    noun: "Webhook delivery",
    required: [],
    create: insertDelivery,
    update: {},
    absentId: `whd_${absent}`,
  },
  reports: { noun: "Report", required: [], create: insertPayment, update: {}, absentId: "" },
  customers: {
    noun: "Customer",
    required: [],
    create: uniquePayer,
    update: { name: "Ada Lovelace" },
    absentId: "nobody@example.com",
  },
  search: { noun: "Search", required: [], create: insertPayment, update: {}, absentId: "" },
  api_keys: {
    noun: "API key",
    required: ["name", "scopes"],
    create: {
      path: "/api-keys",
      body: async (key) => {
        await revokeOldKeys(key);
        return { name: "Web shop", scopes: ["api_keys:read"] };
      },
    },
    update: {},
    absentId: `key_${absent}`,
  },
  // Keys cannot call these: tests/api/{team,account}.test.ts and S1 test them.
  team: { noun: "Member", required: [], create: firstEventOf, update: {}, absentId: `usr_${absent}` },
  account: { noun: "Session", required: [], create: firstEventOf, update: {}, absentId: `ses_${absent}` },
  disputes: { noun: "Dispute", required: [], create: insertDispute, update: {}, absentId: `dsp_${absent}` },
  payouts: { noun: "Payout", required: [], create: insertPayout, update: {}, absentId: `po_${absent}` },
  // No path begins with it.
  annotations: { noun: "Payment", required: [], create: insertPayment, update: {}, absentId: `pay_${absent}` },
  manual_payments: { noun: "Payment", required: [], create: insertPayment, update: {}, absentId: `pay_${absent}` },
  refunds: { noun: "Refund", required: [], create: insertRefund, update: {}, absentId: `ref_${absent}` },
} satisfies Record<Kind, Sample>;

interface Special {
  required: string[];
  body: (key: string) => Promise<Record<string, unknown>>;
  /** Prepares the row that the path names. */
  prepare?: (id: string) => Promise<unknown>;
}

/** Endpoints of actions on a row, beyond create, update and delete. */
const specials: Record<string, Special> = {
  "POST /payment-links/import": {
    required: ["file", "rows"],
    body: async () => ({
      file: "invoices.csv",
      rows: [{ row: 2, email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" }],
    }),
  },
  "POST /customers/{email}/change-email": {
    required: ["email"],
    body: async () => ({ email: `${newId("cus")}@example.com` }),
  },
  "POST /gateway-accounts": {
    required: ["secret_key"],
    body: async () => ({ secret_key: process.env.TEST_STRIPE_KEY }),
  },
  "PUT /settings/logo": { required: ["image"], body: async () => ({ image: logoExample }) },
  "POST /api-keys/{key_id}/rotate": { required: [], body: async () => ({ overlap_hours: 1 }) },
  "POST /payment-links/{payment_link_id}/charge": {
    required: ["token"],
    body: async (key) => ({ token: await savedCard(key) }),
  },
  "POST /payment-links/{payment_link_id}/refunds": {
    required: [],
    body: async () => ({ amount: "100", reason: "Damaged" }),
    prepare: (id) => payAt(`/pay?id=${id}`),
  },
  "POST /payments/{payment_id}/cancel": {
    required: [],
    body: async () => ({}),
    prepare: (id) => reopenPayment(id, { status: "requires_action" }),
  },
  "POST /payments/{payment_id}/settle": {
    required: ["status", "reason"],
    body: async () => ({ status: "failed", reason: "Not in the gateway's dashboard" }),
    // Without an account, it cannot be asked.
    prepare: (id) => reopenPayment(id, { status: "unknown", gateway: "stripe" }),
  },
  "POST /payments/{payment_id}/resolve-mismatch": {
    required: ["resolution", "note"],
    body: async () => ({ resolution: "acknowledged", note: "Refunded at Stripe." }),
    prepare: (id) =>
      asOwner(
        `UPDATE payment SET status = 'failed', reason = 'processing_error', receipt_token = NULL, fee_cents = NULL, fee_currency = NULL,
                settled_by = 'Anna', settled_reason = 'Not found', mismatch_at = now() WHERE id = '${id}'`,
      ),
  },
  "POST /unknown-charges/{unknown_charge_id}/acknowledge": {
    required: ["note"],
    body: async () => ({ note: "Refunded at Stripe." }),
  },
  "POST /payment-links/{payment_link_id}/mark-paid": {
    required: ["method", "paid_on"],
    body: async () => ({ method: "transfer", paid_on: new Date().toISOString().slice(0, 10) }),
  },
  "POST /payments/{payment_id}/reverse": {
    required: ["reason"],
    body: async () => ({ reason: "Marked by mistake" }),
    prepare: (id) =>
      asOwner(`UPDATE payment SET gateway = 'manual', method = 'cash', paid_on = now() WHERE id = '${id}'`),
  },
  "POST /webhook-endpoints/{webhook_endpoint_id}/rotate-secret": {
    required: [],
    body: async () => ({ overlap_hours: 1 }),
  },
  "POST /webhook-endpoints/{webhook_endpoint_id}/sample": {
    required: ["type"],
    body: async () => ({ type: "package.created" }),
  },
  "POST /webhook-endpoints/{webhook_endpoint_id}/redeliver": {
    required: [],
    body: async () => ({ since: "2026-01-01T00:00:00Z" }),
  },
};

/** The sample for an endpoint. */
export function sampleOf(endpoint: Endpoint): Sample & { body: Special["body"]; prepare?: Special["prepare"] } {
  const segment = endpoint.path.split("/")[1] ?? "";
  const sample: Sample = samples[segment.replace("-", "_") as Kind];
  const { create, update } = sample;
  if (endpoint.path.endsWith("/annotations")) {
    const body = async () => ({ metadata: { order_id: "1001" }, notes: "Asked for an invoice by post." });
    return { ...sample, required: [], body };
  }
  const body = async (key: string) =>
    endpoint.method === "POST" && typeof create === "object" ? create.body(key) : update;
  return { ...sample, body, ...specials[`${endpoint.method} ${endpoint.path}`] };
}

/** One minute after the test clock's time, once it is ready. */
async function inOneMinute(key: string): Promise<{ to: string }> {
  for (;;) {
    const { data } = (await call("GET", "/test-clock", { key })).json;
    if (data.status === "ready") return { to: new Date(Date.parse(String(data.now)) + 60_000).toISOString() };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The token of a card saved on the activation page for ada@example.com. */
export async function savedCard(key: string, number?: string): Promise<string> {
  const id = await create(key, "tokenizations");
  const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
  await saveCardAt(`/activate/${token}`, number);
  return token;
}

/** Activates a tokenization with a test card, like the activation page. */
export function activate(id: string): Promise<unknown> {
  const card = { card_brand: "visa", card_last4: "4242", card_exp_month: 12, card_exp_year: 2034 };
  return db.tokenization.update({ where: { id }, data: { status: "active", activated_at: new Date(), ...card } });
}

/** Creates a row through the API, or in the database if the API cannot create it. @returns its id */
export async function create(key: string, resource: Kind, over: Record<string, unknown> = {}): Promise<string> {
  const how: Sample["create"] = samples[resource].create;
  if (typeof how === "function") return how(await get(key, await create(key, "payment_links", over)));
  const reply = await call("POST", how.path, { key, body: { ...(await how.body(key)), ...over } });
  if (reply.status !== 200) throw new Error(`could not create ${resource}: ${reply.status} ${reply.text}`);
  return reply.json.data._id;
}

/** Gives the link a payer that no other business or mode has. @returns the e-mail */
async function uniquePayer({ _id }: { _id: string }): Promise<string> {
  const email = `${_id.slice(3)}@example.com`;
  await db.paymentLink.update({ where: { id: _id }, data: { email } });
  return email;
}

/** The event of the link's creation. */
async function firstEventOf({ _id }: { _id: string }): Promise<string> {
  const { id } = await db.event.findFirstOrThrow({ where: { resource_id: _id, sequence: 1 } });
  return id;
}

/** The link's mail to its payer, once it is in the outbox. */
async function mailOf({ _id }: { _id: string }): Promise<string> {
  const { id } = await db.email.findFirstOrThrow({ where: { payment_link_id: _id } });
  await db.email.updateMany({ where: { id, status: "queued" }, data: { status: "outbox", next_attempt_at: null } });
  return id;
}

/** Revokes all but the last keys: a business has at most a hundred per mode, and these tests create more. */
async function revokeOldKeys(key: string): Promise<void> {
  const hash = createHash("sha256").update(key).digest("hex");
  const { business_id, livemode } = await db.apiKey.findUniqueOrThrow({ where: { hash } });
  const old = await db.apiKey.findMany({
    where: { business_id, livemode, revoked_at: null, name: { notIn: ["test", "live"] } },
    orderBy: { id: "desc" },
    skip: 40,
    select: { id: true },
  });
  const ids = old.map(({ id }) => id);
  await db.apiKey.updateMany({ where: { id: { in: ids } }, data: { revoked_at: new Date() } });
}

/** Deletes endpoints: a business has at most sixteen per mode, and these tests create more. */
async function deleteEndpoints(key: string): Promise<void> {
  const { data } = (await call("GET", "/webhook-endpoints?per_page=100", { key })).json;
  for (const { _id } of data.slice(8)) await call("DELETE", `/webhook-endpoints/${_id}`, { key });
}

/** A replaced account, so that nothing uses it. */
async function insertGatewayAccount({ _id }: { _id: string }): Promise<string> {
  const link = await db.paymentLink.findUniqueOrThrow({ where: { id: _id } });
  const { business_id, livemode } = link;
  const id = newId("gwa");
  const row = { gateway: "stripe", external_id: `acct_${id.slice(4)}`, secrets: "", hint: "sk_test_0000…0000" };
  await db.gatewayAccount.create({ data: { id, business_id, livemode, ...row, replaced_at: new Date() } });
  return id;
}

/** A charge of a link that is lost. */
export async function insertUnknownCharge(link: { _id: string }): Promise<string> {
  const account = await db.gatewayAccount.findUniqueOrThrow({ where: { id: await insertGatewayAccount(link) } });
  const { id: gateway_account_id, business_id, livemode } = account;
  const id = newId("uch");
  const of = { gateway_key: newId("pay"), gateway_ref: `pi_${id.slice(4)}`, payment_link_id: newId("pl") };
  const charge = {
    amount_cents: 1050,
    currency: "EUR",
    charged_at: new Date(),
    status: "open",
    problem: "link_unknown",
  };
  await db.unknownCharge.create({ data: { id, business_id, livemode, gateway_account_id, ...of, ...charge } });
  return id;
}

/** A succeeded delivery of the link's creation to an endpoint of the same business. */
async function insertDelivery({ _id }: { _id: string }): Promise<string> {
  const {
    id: event_id,
    type,
    business_id,
    livemode,
  } = await db.event.findFirstOrThrow({ where: { resource_id: _id } });
  const tenant = { business_id, livemode };
  const id = newId("whe");
  const { sealed: secret } = newSecret(id);
  const endpoint = { id, url: "https://hooks.invalid/paydesk", events: ["package.deleted"], secret };
  const { id: endpoint_id } = await db.webhookEndpoint.create({ data: { ...tenant, ...endpoint } });
  const done = { status: "succeeded", next_attempt_at: null, succeeded_at: new Date() };
  const row = { ...tenant, ...done, id: newId("whd"), endpoint_id, event_id, type };
  return (await db.webhookDelivery.create({ data: row })).id;
}

/** A log entry of the request that created the link. */
async function insertRequest({ _id }: { _id: string }): Promise<string> {
  const { business_id, livemode } = await db.paymentLink.findUniqueOrThrow({ where: { id: _id } });
  const by = { actor_type: "api_key", actor_id: newId("key"), address: "192.0.2.7" };
  const what = { method: "POST", path: "/payment-links", status: 200, duration_ms: 1.5, request_id: _id };
  const row = { id: newId("req"), business_id, livemode, ...by, ...what, created_at: new Date() };
  return (await db.apiRequest.create({ data: row })).id;
}

async function get(key: string, linkId: string) {
  return (await call("GET", `/payment-links/${linkId}`, { key })).json.data;
}

/** The query that an endpoint requires, as its example has it. */
export const searchOf = (endpoint: Endpoint): string => new URL(examplePath(endpoint), "http://localhost").search;
