import { randomBytes } from "node:crypto";
import { db } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { newId } from "@/lib/core/id";
import { templateNames } from "@/lib/resources/emails/templates";
import { openToken } from "@/lib/resources/tokenizations/resource";
import type { Merchant } from "@/tests/support/factory";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { filledWith, queueEvery, writtenMails } from "@/tests/support/mails";
import { makeAttempt } from "@/tests/support/money-rows";
import { insertRefund } from "@/tests/support/paid";
import { signedIn } from "@/tests/support/sign-in";
import { makeLink } from "@/tests/support/staff";
import { createEndpoint } from "@/tests/support/webhooks";
import { full } from "./fault";

/** A page and the payloads that it must show unchanged. */
export interface Look {
  path: string;
  words: readonly string[];
  /** Elements to open on it, in turn. */
  open?: "edit" | "audit" | "delivery" | "palette" | "import";
}

export interface Planted {
  merchant: Merchant;
  cookie: string;
  dashboard: Look[];
  /** Documents without scripts, without authentication. */
  open: Look[];
}

/** The first `maxLength` characters, for columns with a maximum length. */
export const cut = (text: string, maxLength: number): string => [...text].slice(0, maxLength).join("");

/**
 * Creates a business with a payload in every text: through the API if it accepts the payload, else in the database.
 * @param brand the payloads in the texts that all of its pages show, different from `words`
 */
export async function plant(words: readonly string[], brand: readonly string[]): Promise<Planted> {
  const all = brand.join(" ");
  const merchant = await createMerchant(all);
  const { businessId: business_id } = merchant;
  await db.business.update({
    where: { id: business_id },
    data: { support_email: all, support_phone: all, thank_you_text: all, seller_details: all, brand_colour: "#d95f02" },
  });
  const staff = await signedIn(merchant);
  await db.user.update({ where: { id: staff.userId }, data: { name: all } });
  const each: Row[] = [];
  for (const word of words) each.push(await plantOne(merchant, staff.userId, word));
  const of = (name: keyof Row): string[] => each.map((row) => row[name]);
  const titles = of("title");
  const list = (path: string, shown: readonly string[] = titles, open?: Look["open"]): Look => ({
    path,
    words: [...shown, all],
    open,
  });
  // The short run visits each kind of page once, with alternating payloads. Lists show all of them.
  let kinds = 0;
  const perRow = (looksOf: (row: Row, word: string) => Look[]): Look[] => {
    const looks = each.map((row, index) => looksOf(row, words[index] ?? ""));
    if (full) return looks.flat();
    return (looks[0] ?? []).flatMap((_, kind) => looks[kinds++ % looks.length]?.[kind] ?? []);
  };
  return {
    merchant,
    cookie: staff.cookie,
    dashboard: [
      list("/", []),
      list("/payment-links", [...titles, ...words], "palette"),
      list("/payment-links/import", [], "import"),
      list("/payments"),
      list("/refunds", []),
      list("/disputes", []),
      list("/payouts", []),
      list("/exports", []),
      list("/subscriptions", words),
      list("/packages", titles),
      list("/tokenizations", [...titles, ...words]),
      list("/customers", words),
      list("/emails", []),
      list("/developers/keys", words),
      list("/developers/webhooks", words),
      list("/developers/requests?method=POST&by=people", words),
      list("/developers/events", []),
      list("/developers/reference", []),
      list("/settings", []),
      list("/settings/audit-log", words, "audit"),
      list(
        "/team",
        words.map((word) => word.toLowerCase()),
      ),
      list("/account", words),
      ...perRow((row, word) => {
        const { title } = row;
        // One page shows all mails. s9-mail.test.ts opens each mail by itself, also in the short run.
        const ids = row.mails.split(" ").slice(0, full ? undefined : 3);
        const mails = ids.map((id): Look => ({ path: `/emails/${id}`, words: [] }));
        return [
          { path: `/payment-links/${row.link}`, words: [title, word], open: "edit" },
          { path: `/payment-links/${row.old}`, words: [title, word] },
          { path: `/payments/${row.payment}`, words: [title, word] },
          { path: `/subscriptions/${row.subscription}`, words: [title, word] },
          { path: `/packages/${row.pkg}`, words: [title, word] },
          { path: `/tokenizations/${row.pendingCard}`, words: [title, word] },
          { path: `/tokenizations/${row.card}`, words: [title, word] },
          // The front server refuses a slash within a path segment.
          { path: `/customers/${encodeURIComponent(word)}`, words: /[/\\]/.test(word) ? [] : [word] },
          { path: `/developers/requests/${row.request}`, words: [word] },
          { path: `/developers/events/${row.event}`, words: [JSON.stringify(title).slice(1, -1)] },
          { path: `/developers/keys/${row.apiKey}`, words: [word] },
          { path: `/developers/webhooks/${row.endpoint}`, words: [word], open: "delivery" },
          ...mails,
          ...echoes(word),
        ];
      }),
    ],
    open: perRow((row, word) => {
      const { title } = row;
      const enc = encodeURIComponent(word);
      return [
        { path: `/pay?id=${row.link}`, words: [title, word, all] },
        { path: `/pay?id=${row.old}`, words: [title, word] },
        { path: `/pay?id=${row.failed}&attempt=${row.attempt}`, words: [title, word] },
        { path: `/pay?id=${row.link}&attempt=${enc}&wait=${enc}`, words: [] },
        { path: `/thank-you?id=${row.paid}`, words: [title, all] },
        { path: `/thank-you?id=${enc}`, words: [] },
        { path: `/thank-you?token=${enc}`, words: [] },
        { path: `/receipt/${row.receipt}`, words: [title, word, all] },
        { path: `/receipt/${enc}`, words: [] },
        { path: `/activate/${row.token}`, words: [title, word] },
        { path: `/activate/${row.saved}?done=1`, words: [title] },
        { path: `/activate/${enc}`, words: [] },
        { path: `/sandbox/3ds/${row.challenge}`, words: [word] },
        { path: `/sandbox/3ds/${enc}`, words: [] },
        { path: `/logo/${business_id}/${enc}`, words: [] },
        { path: `/docs?x=${enc}#${enc}`, words: [] },
      ];
    }),
  };
}

/** Pages tenant address contains a payload. */
function echoes(word: string): Look[] {
  const enc = encodeURIComponent(word);
  const filters = `q=${enc}&status=${enc}&email=${enc}&sort=${enc}&cursor=${enc}&reference=${enc}&type=${enc}&path=${enc}`;
  const lists = [
    "payment-links",
    "payments",
    "refunds",
    "disputes",
    "subscriptions",
    "packages",
    "tokenizations",
    "customers",
    "emails",
  ];
  const money = ["payment-links", "payments", "subscriptions", "packages", "tokenizations"];
  const ids = [...money, "emails", "developers/events", "developers/requests"];
  return [
    ...lists.map((path) => ({ path: `/${path}?${filters}&new=${enc}`, words: [] })),
    ...ids.map((path) => ({ path: `/${path}/${enc}`, words: [] })),
    { path: `/developers/requests?${filters}&api_key_id=${enc}&request_id=${enc}&method=${enc}`, words: [] },
    { path: `/settings/audit-log?${filters}&action=${enc}&actor_id=${enc}`, words: [] },
    { path: `/nowhere/${enc}?x=${enc}`, words: [] },
    { path: `/invitation/${enc}`, words: [] },
    { path: `/reset/${enc}`, words: [] },
    { path: `/verify/${enc}`, words: [] },
    { path: `/login?next=${enc}&error=${enc}&callbackUrl=${enc}`, words: [] },
    { path: `/api/auth/signin?callbackUrl=${enc}&error=${enc}`, words: [] },
    { path: `/api/auth/error?error=${enc}`, words: [] },
    { path: `/api/auth/signout?callbackUrl=${enc}`, words: [] },
    { path: `/api/${enc}`, words: [] },
  ];
}

type Row = Awaited<ReturnType<typeof plantOne>>;

async function make(key: string, path: string, body: object): Promise<string> {
  const { status, text, json } = await call("POST", path, { key, body });
  if (status !== 200) throw new Error(`POST ${path}: ${status} ${text}`);
  return json.data._id;
}

async function plantOne({ businessId: business_id, key }: Merchant, user_id: string, word: string) {
  const title = cut(word, 50);
  const tenant = { business_id, livemode: false };
  const money = { currency: "EUR", amount: "1050" };
  const texts = { title, description: word, reference: title, reference_2: title };
  // A merchant's own redirect URL is legitimate, so URL payloads are left out.
  const hostile = { email: word, phone_no: word, redirect_url: /^https?:/i.test(word) ? null : word };
  const now = new Date();
  const link = await make(key, "/payment-links", {
    ...money,
    ...texts,
    email: "ada@example.com",
    phone_no: cut(word, 32),
  });
  const old = await makeLink(business_id, { ...texts, ...hostile });
  const paid = await makeLink(business_id, { ...texts, ...hostile });
  await insertRefund({ _id: paid.id });
  const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: paid.id } });
  await db.payment.update({ where: { id: payment.id }, data: { card_brand: word, card_last4: word } });
  await db.refund.updateMany({ where: { payment_id: payment.id }, data: { reason: word } });
  const failed = await makeLink(business_id, { ...texts, ...hostile });
  const attempt = await makeAttempt(failed, {
    status: "failed",
    reason: "card_declined",
    settled_at: now,
    card_brand: word,
  });
  const pkg = await make(key, "/packages", { name: title, description: word, frequency: "monthly", ...money });
  const subscription = await make(key, "/subscriptions", { email: "ada@example.com", package_id: pkg });
  await db.subscription.update({ where: { id: subscription }, data: { email: word, phone_no: word } });
  const known = { name: cut(word, 200), notes: word, metadata: { plan: word } };
  await db.customer.updateMany({ where: { ...tenant, email: lowerAscii(word) }, data: known });
  const cards: { id: string; token: string }[] = [];
  for (const status of ["pending", "active"]) {
    const id = await make(key, "/tokenizations/create-token", { email: "ada@example.com", title, description: word });
    const card = { card_brand: word, card_last4: word, card_exp_month: 1, card_exp_year: 2040, activated_at: now };
    const data = { ...hostile, status, ...(status === "active" && card) };
    const { sealed_token } = await db.tokenization.update({ where: { id }, data });
    cards.push({ id, token: openToken(id, sealed_token ?? "") });
  }
  const apiKey = await make(key, "/api-keys", { name: word, scopes: ["read"] });
  const challenge = `sbx_ch_${randomBytes(20).toString("hex")}`;
  await db.sandboxCharge.create({
    data: {
      gateway_key: challenge,
      ref: challenge,
      account: word,
      amount_cents: 1050,
      currency: "EUR",
      merchant: word,
      card_last4: word,
      return_path: "/",
      status: "requires_action",
    },
  });
  return {
    title,
    link,
    old: old.id,
    paid: paid.id,
    failed: failed.id,
    attempt: attempt.id,
    payment: payment.id,
    receipt: payment.receipt_token ?? "",
    subscription,
    pkg,
    pendingCard: cards[0]?.id ?? "",
    card: cards[1]?.id ?? "",
    token: cards[0]?.token ?? "",
    saved: cards[1]?.token ?? "",
    challenge,
    event: (await db.event.findFirstOrThrow({ where: { resource_id: link } })).id,
    apiKey,
    endpoint: await plantWebhook(key, word),
    mails: (await plantMails(business_id, word)).join(" "),
    request: await plantTraces(tenant, user_id, word),
  };
}

/** An endpoint with a delivery tenant response contains the payload. */
async function plantWebhook(key: string, word: string): Promise<string> {
  const { id } = await createEndpoint({ key }, `https://hooks.example/?x=${encodeURIComponent(word)}`);
  const { business_id, livemode } = await db.webhookEndpoint.update({
    where: { id },
    data: { description: word, url: word, status: "disabled" },
  });
  const delivery = newId("whd");
  await db.webhookDelivery.create({
    data: {
      id: delivery,
      business_id,
      livemode,
      endpoint_id: id,
      type: "payment_link.paid",
      status: "failed",
      next_attempt_at: null,
      attempt_count: 2,
    },
  });
  const response = word.repeat(Math.floor(4_096 / Buffer.byteLength(word)));
  const attempts = [
    { status: 500, response },
    { status: null, error: word },
  ];
  for (const attempt of attempts)
    await db.webhookAttempt.create({ data: { id: newId("wha"), delivery_id: delivery, latency_ms: 5, ...attempt } });
  return id;
}

/** One mail of each template, and one that the mail server refused with the payload. */
async function plantMails(businessId: number, word: string): Promise<string[]> {
  const ids = await queueEvery(businessId, (template) => filledWith(template, word));
  if (ids.length !== templateNames.length) throw new Error("mails are missing");
  await writtenMails(ids);
  await db.email.updateMany({ where: { id: ids[0] }, data: { status: "failed", last_error: word, to: word } });
  return ids;
}

/** Requests, sessions, members and audit entries with the payload. */
async function plantTraces(tenant: { business_id: number; livemode: boolean }, user_id: string, word: string) {
  const { business_id } = tenant;
  const id = newId("req");
  const created_at = new Date();
  const request = {
    method: "POST",
    path: `/payment-links/${word}`,
    query: word,
    status: 422,
    duration_ms: 1,
    request_id: word,
  };
  const who = { actor_type: "user", actor_id: word, address: word };
  const bodies = { request_body: JSON.stringify({ title: word, [word]: word }), response_body: word };
  await db.apiRequest.create({ data: { id, ...tenant, ...request, ...who, ...bodies, created_at } });
  const expires_at = new Date(Date.now() + 3_600_000);
  await db.session.create({
    data: {
      id: newId("ses"),
      business_id,
      user_id,
      expires_at,
      address: word,
      user_agent: `${word} Chrome/140.0 (${word})`,
    },
  });
  const user = newId("usr");
  await db.user.create({ data: { id: user, email: `${user}${word}`, name: word, password_hash: word } });
  await db.membership.create({ data: { business_id, user_id: user, role: "viewer" } });
  await db.invitation.create({
    data: {
      id: newId("inv"),
      business_id,
      email: word.toLowerCase(),
      role: "viewer",
      token_hash: newId("inv"),
      expires_at,
      invited_by: user,
    },
  });
  await db.auditEntry.create({
    data: {
      id: newId("aud"),
      ...tenant,
      actor_type: "user",
      actor_name: word,
      address: word,
      request_id: word,
      action: "settings.changed",
      resource_id: word,
      about: word,
      before: { name: word, [word]: [word] },
      after: { name: `${word}!`, [word]: { [word]: word } },
    },
  });
  return id;
}
