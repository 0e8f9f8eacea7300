import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db, Prisma } from "@/lib/core/db";
import { type Rig, startRig } from "@/tests/faults/rig";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { callAs, createStaff, signedIn, signIn } from "@/tests/support/sign-in";
import { startSmtp } from "@/tests/support/smtp";
import { together } from "@/tests/support/together";

// A server with a mail server: without one, no address can be confirmed, and nothing asks for it.

const password = "six quiet rivers past the mill";
const attackers = "a stranger chose this phrase";
const link = { email: "payer@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };

let rig: Rig;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  smtp = await startSmtp();
  rig = await startRig({ SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example", STRIPE_API_URL: "http://127.0.0.1:1" });
});
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
});

let count = 0;
let email: string;
beforeEach(() => {
  email = `victim-${count++}@example.com`;
});

const open = (method: string, path: string, body: unknown, cookie?: string) =>
  call(method, path, { body, headers: { Origin: baseUrl(), ...(cookie && { Cookie: cookie }) } });

/** The token of the link in the newest mail to an address. */
async function tokenMailed(to: string, path: "verify" | "reset" | "invitation"): Promise<string> {
  const pattern = new RegExp(`/${path}/([\\w.-]+)`);
  for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
    const mails = smtp.delivered.filter((mail) => mail.to.includes(to)).reverse();
    const found = mails.map(({ mail }) => pattern.exec(mail.text ?? "")?.[1]).find(Boolean);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`no ${path} mail to ${to}`);
  }
}

async function register(secret = password) {
  const business = { business_name: "Blue Bottle Books", currency: "EUR", timezone: "UTC", name: "Ada" };
  const made = await open("POST", "/registrations", { ...business, email, password: secret });
  expect(made.status, made.text).toBe(200);
  return { businessId: Number(made.json.data.business_id), cookie: (await signIn({ email, password: secret })) ?? "" };
}

it("a new account tries everything in test mode, and confirms its address before the rest", async () => {
  const { cookie } = await register();
  const gated = () => [
    callAs(cookie, "POST", "/team/invitations", { email: "grace@example.com", role: "viewer" }),
    callAs(cookie, "POST", "/gateway-accounts", { secret_key: "sk_test_x" }),
    callAs(cookie, "POST", "/payment-links", link, "live"),
    callAs(cookie, "POST", "/api-keys", { name: "Shop", scopes: ["read"] }, "live"),
    callAs(cookie, "PUT", "/settings", { name: "Other" }, "live"),
    callAs(cookie, "PUT", "/settings", { bank_holder: "Mallory", bank_iban: "DE89370400440532013000" }),
  ];
  for (const reply of await Promise.all(gated()))
    expect([reply.status, reply.json.code]).toEqual([403, "email_not_verified"]);
  expect((await callAs(cookie, "POST", "/payment-links", link)).status).toBe(200);
  expect((await callAs(cookie, "PUT", "/settings", { brand_colour: "#1d4ed8" })).status).toBe(200);
  expect((await callAs(cookie, "GET", "/payment-links", undefined, "live")).status).toBe(200);
  expect((await callAs(cookie, "PUT", "/account", { name: "Ada King" }, "live")).json.data.email_verified).toBe(false);

  const token = await tokenMailed(email, "verify");
  const stranger = await signedIn(await createMerchant());
  const confirm = (by: string, given = token) => callAs(by, "PUT", "/account/email-verification", { token: given });
  expect((await open("PUT", "/account/email-verification", { token })).status, "not signed in").toBe(401);
  expect((await confirm(stranger.cookie)).json.errors).toHaveProperty("token");
  expect((await confirm(cookie, `${token}x`)).json.errors).toHaveProperty("token");
  expect((await confirm(cookie)).json.data).toMatchObject({ email, email_verified: true });
  expect((await callAs(cookie, "POST", "/account/email-verification")).json.code).toBe("email_verified");
  for (const reply of await Promise.all(gated())) expect(reply.json.code).not.toBe("email_not_verified");
  const { data } = (await callAs(cookie, "GET", "/audit-log?action=account.email_verified")).json;
  expect(data).toHaveLength(1);
});

it("an unconfirmed address gets no mail about what happens in the business", async () => {
  const { cookie, businessId } = await register();
  const dispute = async () => {
    const { _id } = (await callAs(cookie, "POST", "/payment-links", link)).json.data;
    expect((await payAt(`/pay?id=${_id}`, "4000000000005134")).status).toBe(303);
  };
  const where = { business_id: businessId, template: "dispute_opened", status: { not: "queued" } };
  const select = { status: true, drop_reason: true };
  const handled = () => db.email.findMany({ where, select, orderBy: { id: "asc" } });
  const dropped = { status: "dropped", drop_reason: "not_wanted" };
  await dispute();
  await expect.poll(handled, { timeout: 30_000 }).toEqual([dropped]);
  await callAs(cookie, "PUT", "/account/email-verification", { token: await tokenMailed(email, "verify") });
  await dispute();
  await expect.poll(handled, { timeout: 30_000 }).toEqual([dropped, { status: "sent", drop_reason: null }]);
  expect(smtp.delivered.filter(({ to, mail }) => to.includes(email) && /dispute/i.test(mail.text ?? ""))).toHaveLength(
    1,
  );
});

it("the mail can be requested again, five times a day", async () => {
  const { cookie } = await register();
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await callAs(cookie, "POST", "/account/email-verification")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

/** A stranger registers the victim's address and sets up what should outlive the victim's arrival. */
async function hijack() {
  const { cookie, businessId } = await register(attackers);
  const begun = (await callAs(cookie, "POST", "/account/two-factor", { password: attackers })).json.data;
  const app = new TOTP({ secret: Secret.fromBase32(String(begun.secret)) });
  expect((await callAs(cookie, "PUT", "/account/two-factor", { code: app.generate() })).status).toBe(200);
  const made = await callAs(cookie, "POST", "/api-keys", { name: "Back door", scopes: ["read", "write"] });
  const key = String(made.json.data.key);
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  const token_hash = `hijack ${user.id}`;
  const invited = { email: "accomplice@example.com", role: "owner", invited_by: user.id };
  const expires_at = new Date(Date.now() + 3_600_000);
  await db.invitation.create({
    data: { id: `inv_${user.id}`, business_id: businessId, ...invited, token_hash, expires_at },
  });
  expect((await call("GET", "/payment-links", { key })).status).toBe(200);
  return { cookie, key, userId: user.id, businessId };
}

async function expectDropped({ cookie, key, userId, businessId }: Awaited<ReturnType<typeof hijack>>, secret: string) {
  expect((await callAs(cookie, "GET", "/account")).status).toBe(401);
  expect((await call("GET", "/payment-links", { key })).status).toBe(401);
  expect(await db.recoveryCode.count({ where: { user_id: userId } })).toBe(0);
  expect(await db.invitation.count({ where: { invited_by: userId, revoked_at: null } })).toBe(0);
  const actions = { in: ["api_key.revoked", "team.invitation_withdrawn"] };
  const entries = await db.auditEntry.findMany({ where: { business_id: businessId, action: actions } });
  expect(entries.map(({ action, actor_id }) => [action, actor_id]).sort()).toEqual([
    ["api_key.revoked", userId],
    ["team.invitation_withdrawn", userId],
  ]);
  expect(await signIn({ email, password: attackers })).toBeNull();
  const mine = (await signIn({ email, password: secret })) ?? "";
  expect((await callAs(mine, "GET", "/account")).json.data).toMatchObject({ two_factor: false, email_verified: true });
}

it("a password reset takes an account from the stranger who registered the address", async () => {
  const stranger = await hijack();
  await open("POST", "/password-resets", { email });
  const token = await tokenMailed(email, "reset");
  expect((await open("PUT", "/password-resets", { token, password })).status).toBe(200);
  await expectDropped(stranger, password);
});

it("a key that the stranger creates during the reset ends with it", async () => {
  const { cookie, businessId } = await register(attackers);
  await open("POST", "/password-resets", { email });
  const token = await tokenMailed(email, "reset");
  const lock = Prisma.sql`SELECT id FROM business WHERE id = ${businessId} FOR UPDATE`;
  const make = () => callAs(cookie, "POST", "/api-keys", { name: "Back door", scopes: ["read"] });
  const reset = () => open("PUT", "/password-resets", { token, password });
  expect(await together(lock, "api_key", make, reset)).toEqual([200, 200]);
  expect(await db.apiKey.count({ where: { business_id: businessId, revoked_at: null } })).toBe(0);
});

it("so does an invitation that the owner of the mailbox accepts", async () => {
  const stranger = await hijack();
  const boss = await signedIn(await createMerchant("Harbour Books"));
  expect((await callAs(boss.cookie, "POST", "/team/invitations", { email, role: "support" })).status).toBe(200);
  const token = await tokenMailed(email, "invitation");
  const accepted = await open("POST", "/invitations/accept", { token, name: "Victim", password });
  expect(accepted.status, accepted.text).toBe(200);
  await expectDropped(stranger, password);
});

it("a password reset of a confirmed account keeps its second factor", async () => {
  const staff = await createStaff(await createMerchant());
  await db.user.update({ where: { id: staff.userId }, data: { two_factor_secret: "x", two_factor_at: new Date() } });
  await open("POST", "/password-resets", { email: staff.email });
  const token = await tokenMailed(staff.email, "reset");
  expect((await open("PUT", "/password-resets", { token, password })).status).toBe(200);
  const { two_factor_at } = await db.user.findUniqueOrThrow({ where: { id: staff.userId } });
  expect(two_factor_at).not.toBeNull();
});

it("whoever invites never sees the link, so only the mailbox can accept", async () => {
  const boss = await signedIn(await createMerchant());
  const invited = await callAs(boss.cookie, "POST", "/team/invitations", { email, role: "support" });
  const first = await tokenMailed(email, "invitation");
  const resent = await callAs(boss.cookie, "POST", `/team/invitations/${invited.json.data._id}/resend`);
  const seen = [
    invited,
    resent,
    ...(await Promise.all([
      callAs(boss.cookie, "GET", "/team/invitations"),
      callAs(boss.cookie, "GET", "/emails"),
      callAs(boss.cookie, "GET", "/requests"),
    ])),
  ];
  for (const { status, text } of seen) expect([status, /\/invitation\/|accept_url/.test(text)]).toEqual([200, false]);
  expect((await open("POST", "/invitations/accept", { token: first, name: "Victim", password })).status).toBe(409);
});
