import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { db } from "@/lib/core/db";
import { card, payAt, post, saveCardAt } from "@/tests/support/checkout";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { startReceiver, until } from "@/tests/support/receiver";
import { attemptSignIn } from "@/tests/support/sign-in";
import type { startSmtp } from "@/tests/support/smtp";
import type { StripeFake } from "@/tests/support/stripe/fake";
import { savedAtStripe } from "@/tests/support/stripe-merchant";

/** What a secret could be, with characters that JSON, URLs and forms escape. */
const newPassword = () => `Pä"&/+ ${randomBytes(18).toString("base64")}`;
const newEmail = () => `${randomBytes(8).toString("hex")}@example.com`;
const token = () => randomBytes(32).toString("base64url");

/** A busy machine takes its time. */
const waitFor = <T>(what: string, read: () => T | Promise<T>) => until(what, read, 40);

interface World {
  smtp: Awaited<ReturnType<typeof startSmtp>>;
  stripe: StripeFake;
  keep: (name: string, secret: unknown) => string;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(`${baseUrl()}${path}`, { headers, redirect: "manual" });
  await response.text();
  return response;
}

/** @throws Error unless it succeeded */
function done(reply: Reply): Reply["json"]["data"] {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json.data;
}

/** Sends a request twice with one Idempotency-Key: the second answer is the stored one. */
async function twice(send: (headers: Record<string, string>) => Promise<Reply>): Promise<Reply["json"]["data"]> {
  const headers = { "Idempotency-Key": randomBytes(8).toString("hex") };
  const first = done(await send(headers));
  const second = done(await send(headers));
  if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error("the stored answer differs");
  return first;
}

/** Makes, uses and mistypes every kind of secret that the product makes or is given. */
export async function everySecret(world: World): Promise<void> {
  const { keep } = world;
  const owner = await people(world);
  const session = (headers = {}) => ({ Cookie: owner, Origin: baseUrl(), "X-Paydesk-Mode": "test", ...headers });
  const as =
    (method: string, path: string, body?: unknown) =>
    (headers: Record<string, string> = {}) =>
      call(method, path, { body, headers: session(headers) });

  const made = await twice(
    as("POST", "/api-keys", { name: "shop", scopes: ["read", "write", "gateway_accounts:write"] }),
  );
  const old = keep("API key", made.key);
  const key = keep("rotated API key", (await twice(as("POST", `/api-keys/${made._id}/rotate`, {}))).key);
  for (const one of [old, key]) done(await call("GET", "/payment-links", { key: one }));
  await call("GET", `/payment-links/${key}?key=${key}&${key}=1`, { key });
  await call("GET", "/payment-links", { key: keep("unknown API key", `sk_live_${token()}`) });
  const basic = Buffer.from(`ada:${keep("password of Basic", newPassword())}`).toString("base64");
  await call("GET", "/payment-links", { headers: { Authorization: `Basic ${basic}` } });

  await webhooks(world, key);
  await cards(world, key);
  await gateway(world, key);
}

/** Accounts with two factors, invitations and resets. @returns the owner's cookie */
async function people(world: World): Promise<string> {
  const { keep, smtp } = world;
  const email = newEmail();
  const password = keep("password", newPassword());
  const business = { business_name: "Ada Books", currency: "EUR", timezone: "Europe/Berlin", name: "Ada Lovelace" };
  // The first mail waits while the mail server refuses our login. Later ones use the open connection.
  const refused = smtp.refusedLogins === 0;
  if (refused) smtp.behaviour.login = () => false;
  done(await call("POST", "/registrations", { body: { ...business, email, password } }));
  await call("POST", "/registrations", { raw: `{"password":${JSON.stringify(password)}` });
  await attemptSignIn({ email, password: keep("wrong password", newPassword()) });
  const cookie = (await attemptSignIn({ email, password })).cookie ?? "";
  const sessionOf = (cookies: string) => /paydesk-session=([^;]+)/.exec(cookies)?.[1] ?? "";
  keep("session cookie", sessionOf(cookie));
  const headers = { Cookie: cookie, Origin: baseUrl() };
  await get("/", { Cookie: cookie });
  if (refused) {
    await waitFor("a refused login", () => smtp.refusedLogins > 0);
    smtp.behaviour.login = undefined;
    await makeMailsDue(email);
  }
  const verification = await tokenMailed(world, email, "verify");
  await get(`/verify/${verification}`, { Cookie: cookie });
  done(await call("PUT", "/account/email-verification", { body: { token: verification }, headers }));

  const begun = await twice((more) =>
    call("POST", "/account/two-factor", { body: { password }, headers: { ...headers, ...more } }),
  );
  const secret = keep("TOTP secret", begun.secret);
  const code = new TOTP({ secret: Secret.fromBase32(secret), period: 30, digits: 6 }).generate();
  const codes = done(await call("PUT", "/account/two-factor", { body: { code }, headers })).recovery_codes as string[];
  for (const [index, one] of codes.entries()) {
    keep(`recovery code ${index}`, one);
    keep(`recovery code ${index} without dashes`, one.replaceAll("-", ""));
  }
  const { error } = await attemptSignIn({ email, password });
  const ticket = keep("ticket of the second step", error?.replace("CodeNeeded.", ""));
  await attemptSignIn({ ticket, code: keep("wrong recovery code", "zzzz-zzzz-zzzz-zzz9") });
  const again = (await attemptSignIn({ ticket, code: codes[0] ?? "" })).cookie;
  keep("second session cookie", sessionOf(again ?? ""));
  const passkey = await call("POST", "/passkey-sign-ins", { body: { ticket }, headers: { Origin: baseUrl() } });
  keep("browser of a passkey sign-in", /paydesk-browser=([^;]+)/.exec(passkey.headers.get("set-cookie") ?? "")?.[1]);
  keep("challenge of a passkey sign-in", (done(passkey).options as { challenge: string }).challenge);

  const colleague = newEmail();
  await twice((more) =>
    call("POST", "/team/invitations", {
      body: { email: colleague, role: "developer" },
      headers: { ...headers, ...more },
    }),
  );
  const invitation = await tokenMailed(world, colleague, "invitation");
  await get(`/invitation/${invitation}`);
  const theirs = keep("colleague's password", newPassword());
  done(await call("POST", "/invitations/accept", { body: { token: invitation, name: "Grace", password: theirs } }));

  await call("POST", "/password-resets", { body: { email: colleague } });
  const reset = await tokenMailed(world, colleague, "reset");
  await get(`/reset/${reset}`);
  const renewed = keep("renewed password", newPassword());
  done(await call("PUT", "/password-resets", { body: { token: reset, password: renewed } }));
  await call("PUT", "/password-resets", { body: { token: keep("unknown reset token", token()), password: renewed } });
  const changed = { current_password: password, password: keep("changed password", newPassword()) };
  done(await call("PUT", "/account/password", { body: changed, headers }));
  return cookie;
}

/** The token of the link in the mail to an address. */
async function tokenMailed(
  { keep, smtp }: World,
  to: string,
  kind: "invitation" | "reset" | "verify",
): Promise<string> {
  const link = new RegExp(`/${kind}/([\\w.-]{43,})`);
  const mail = await waitFor(`the mail to ${to}`, () =>
    smtp.delivered.find((one) => one.to.includes(to) && link.test(one.mail.text ?? "")),
  );
  return keep(`token of ${kind} to ${to}`, link.exec(mail.mail.text ?? "")?.[1]);
}

async function makeMailsDue(to: string): Promise<void> {
  await waitFor("a mail to send again", async () => {
    const where = { to, status: "queued", last_error: { not: null } };
    return (await db.email.updateMany({ where, data: { next_attempt_at: new Date() } })).count > 0;
  });
}

async function webhooks({ keep }: World, key: string): Promise<void> {
  const receiver = await startReceiver();
  try {
    const body = { url: receiver.url, events: ["*"] };
    const endpoint = await twice((headers) => call("POST", "/webhook-endpoints", { key, body, headers }));
    const first = keep("webhook secret", endpoint.secret);
    keep("webhook secret's bytes", first.replace("whsec_", ""));
    const rotated = await twice((headers) =>
      call("POST", `/webhook-endpoints/${endpoint._id}/rotate-secret`, { key, body: {}, headers }),
    );
    keep("rotated webhook secret", rotated.secret);
    const link = { email: newEmail(), currency: "EUR", amount: "1050", title: "Order" };
    done(await call("POST", "/payment-links", { key, body: link }));
    const delivered = await waitFor("a delivery", () => receiver.received.at(-1));
    for (const secret of [first, String(rotated.secret)]) receiver.verify(secret, delivered);
  } finally {
    await receiver.stop();
  }
}

async function cards({ keep }: World, key: string): Promise<void> {
  const email = newEmail();
  const body = { email, title: "Card", description: "For later", redirect_url: "https://shop.example/card" };
  const created = await twice((headers) => call("POST", "/tokenizations/create-token", { key, body, headers }));
  const saved = keep("activation token", created.token);
  if (!created.activation_url.includes(`/activate/${saved}`)) throw new Error("the URL has another token");
  await get(`/activate/${saved}`);
  await get(`/activate/${keep("unknown activation token", token())}?test=1`);
  await post(`/activate/${saved}`, { ...card, number: "4000000000000002" }); // is declined
  await saveCardAt(`/activate/${saved}`);
  await get(`/thank-you?token=${saved}`);
  const shown = done(await call("GET", `/tokenizations/${created._id}`, { key }));
  const [listed] = done(await call("GET", "/tokenizations", { key }));
  if (shown.token !== saved || listed?.token !== saved) throw new Error("the token is not shown");
  const link = { email, currency: "EUR", amount: "1050", title: "Order" };
  const { _id: id } = done(await call("POST", "/payment-links", { key, body: link }));
  const charge = (one: string) => (headers: Record<string, string>) =>
    call("POST", `/payment-links/${id}/charge`, { key, body: { token: one }, headers });
  await charge(keep("unknown token", token()))({ "Idempotency-Key": "a token that does not exist" });
  await twice(charge(saved));
  done(await call("DELETE", `/tokenizations/${created._id}`, { key }));

  // The token that the thank-you page of a period makes.
  const plan = { name: "Club", amount: "1500", currency: "EUR", frequency: "monthly" };
  const { _id: package_id } = done(await call("POST", "/packages", { key, body: plan }));
  const subscriber = { package_id, email: newEmail() };
  const { _id: subscription } = done(await call("POST", "/subscriptions", { key, body: subscriber }));
  const [period] = await waitFor("a period", async () => {
    const links = done(await call("GET", `/payment-links?subscription_id=${subscription}`, { key }));
    return links.length > 0 && links;
  });
  await payAt(`/pay?id=${period?._id}`, undefined, false);
  const offer = await fetch(`${baseUrl()}/thank-you?id=${period?._id}`, {
    method: "POST",
    body: new URLSearchParams(),
    redirect: "manual",
  });
  keep("token of the thank-you page", offer.headers.get("location")?.replace("/activate/", ""));
}

async function gateway({ keep, stripe }: World, key: string): Promise<void> {
  const secret_key = keep("Stripe key", stripe.account().secretKey);
  const webhook_secret = keep("Stripe webhook secret", `whsec_${randomBytes(24).toString("base64url")}`);
  const wrong = { secret_key: keep("wrong Stripe key", `sk_test_${randomBytes(24).toString("hex")}`) };
  await call("POST", "/gateway-accounts", { key, body: wrong });
  await twice((headers) => call("POST", "/gateway-accounts", { key, body: { secret_key, webhook_secret }, headers }));
  keep("token of a card at Stripe", await savedAtStripe(key));
}
