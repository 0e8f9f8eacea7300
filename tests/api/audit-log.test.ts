import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { png } from "@/tests/support/images";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { attemptSignIn, callAs, createStaff, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  merchant = await createMerchant();
  owner = await signedIn(merchant);
});

type Entry = Row & {
  action: string;
  actor: { type: string; id: string; name: string };
  before: unknown;
  after: unknown;
};
async function log(query = "", key = merchant.key): Promise<Entry[]> {
  const reply = await call("GET", `/audit-log?per_page=100&${query}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data as unknown as Entry[];
}
const last = async (action: string): Promise<Entry | undefined> => (await log(`action=${action}`))[0];
const as = (method: string, path: string, body?: unknown) => callAs(owner.cookie, method, path, body);

it("records who changed a setting, the address, the request, and the values before and after", async () => {
  const address = "203.0.113.77";
  const reply = await call("PUT", "/settings", {
    body: { dunning_days: [3, 5], name: "Blue Bottle Books" },
    headers: { Cookie: owner.cookie, Origin: baseUrl(), "X-Forwarded-For": address },
  });
  expect(await last("settings.changed")).toMatchObject({
    actor: { type: "user", id: owner.userId, name: owner.email },
    address,
    request_id: reply.headers.get("x-request-id"),
    resource_id: "settings",
    before: { dunning_days: [2, 7, 14, 21] },
    after: { dunning_days: [3, 5] },
    livemode: null,
    business_id: merchant.businessId,
  });
  const before = (await log()).length;
  await as("PUT", "/settings", { dunning_days: [3, 5] });
  await as("PUT", "/settings", { dunning_days: [5, 3] });
  expect((await log()).length, "what changes nothing is not written down").toBe(before);
});

it("records each change of people, keys, endpoints, the logo and each export, without secrets", async () => {
  const secrets: string[] = [];
  const post = async (path: string, body?: unknown) => {
    const reply = await as("POST", path, body);
    expect([path, reply.status]).toEqual([path, 200]);
    for (const name of ["key", "secret"]) if (reply.json.data[name]) secrets.push(String(reply.json.data[name]));
    return reply.json.data;
  };
  const ok = async (method: string, path: string, body?: unknown) =>
    expect([path, (await as(method, path, body)).status]).toEqual([path, 200]);

  const key = await post("/api-keys", { name: "Web shop", scopes: ["read"] });
  await post(`/api-keys/${key._id}/rotate`, { overlap_hours: 1 });
  await ok("DELETE", `/api-keys/${key._id}`);
  await ok("DELETE", `/api-keys/${key._id}`);
  const invitation = await post("/team/invitations", { email: `${randomUUID()}@example.com`, role: "viewer" });
  await post(`/team/invitations/${invitation._id}/resend`);
  await ok("DELETE", `/team/invitations/${invitation._id}`);
  const colleague = await createStaff(merchant, "viewer");
  await ok("PUT", `/team/members/${colleague.userId}`, { role: "support" });
  await ok("DELETE", `/team/members/${colleague.userId}`);
  const endpoint = await post("/webhook-endpoints", { url: "https://hooks.invalid/a", events: ["package.deleted"] });
  await ok("PUT", `/webhook-endpoints/${endpoint._id}`, { url: "https://hooks.invalid/b" });
  await post(`/webhook-endpoints/${endpoint._id}/rotate-secret`, { overlap_hours: 1 });
  await post(`/webhook-endpoints/${endpoint._id}/disable`);
  await post(`/webhook-endpoints/${endpoint._id}/enable`);
  await ok("DELETE", `/webhook-endpoints/${endpoint._id}`);
  await ok("PUT", "/settings/logo", { image: png().toString("base64") });
  await ok("DELETE", "/settings/logo");
  await create(merchant.key, "payment_links");
  expect((await as("GET", "/payment-links/export?status=Active")).status).toBe(200);
  const { _id: link } = await post("/payment-links", {
    email: "a@example.com",
    currency: "EUR",
    amount: 500,
    title: "Tea",
  });
  await post(`/payment-links/${link}/mark-paid`, { method: "cash", paid_on: new Date().toISOString().slice(0, 10) });
  const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: String(link) } });
  await post(`/payments/${payment.id}/reverse`, { reason: "Marked by mistake" });
  const account = await post("/gateway-accounts", { secret_key: process.env.TEST_STRIPE_KEY });
  await ok("DELETE", `/gateway-accounts/${account._id}`);

  const entries = await log();
  const ownEntries = entries
    .filter(({ action }) => !action.startsWith("session.") && action !== "settings.changed")
    .reverse();
  expect(ownEntries.map(({ action }) => action)).toEqual([
    ...["api_key.created", "api_key.rotated", "api_key.revoked"],
    ...["team.invited", "team.invitation_resent", "team.invitation_withdrawn", "team.role_changed", "team.removed"],
    ...["webhook_endpoint.created", "webhook_endpoint.changed", "webhook_endpoint.secret_rotated"],
    ...["webhook_endpoint.disabled", "webhook_endpoint.enabled", "webhook_endpoint.deleted"],
    ...["settings.logo_changed", "settings.logo_removed", "payment_links.exported"],
    ...["payment_link.marked_paid", "payment.reversed"],
    ...["gateway_account.connected", "gateway_account.disconnected"],
  ]);
  expect(new Set(ownEntries.map(({ actor }) => actor.id))).toEqual(new Set([owner.userId]));
  expect(await last("team.role_changed")).toMatchObject({
    about: colleague.email,
    before: { role: "viewer" },
    after: { role: "support" },
  });
  expect(await last("webhook_endpoint.changed")).toMatchObject({
    before: { url: "https://hooks.invalid/a" },
    after: { url: "https://hooks.invalid/b" },
  });
  expect(await last("payment_links.exported")).toMatchObject({
    livemode: false,
    after: { filters: { status: "Active" } },
  });
  const rows = JSON.stringify(await db.auditEntry.findMany({ where: { business_id: merchant.businessId } }));
  expect(secrets.length).toBe(4);
  for (const secret of [...secrets, process.env.TEST_STRIPE_KEY ?? ""]) expect(rows).not.toContain(secret);
});

it("records sign-ins, sign-outs, refused codes, password changes and renames", async () => {
  const own = await createMerchant();
  const address = "203.0.113.99";
  const ada = await createStaff(own);
  const { cookie } = await attemptSignIn(ada, { address });
  const session = cookie ?? "";
  expect((await callAs(session, "PUT", "/account", { name: "Ada King" })).status).toBe(200);
  const password = "six quiet rivers past the mill";
  const changed = { current_password: ada.password, password };
  expect((await callAs(session, "PUT", "/account/password", changed)).status).toBe(200);
  const begun = (await callAs(session, "POST", "/account/two-factor")).json.data;
  const totp = new TOTP({ secret: Secret.fromBase32(String(begun.secret)) });
  const confirmed = await callAs(session, "PUT", "/account/two-factor", { code: totp.generate() });
  expect(confirmed.status, confirmed.text).toBe(200);
  const firstStep = await attemptSignIn({ email: ada.email, password }, { address });
  const ticket = firstStep.error?.replace("CodeNeeded.", "") ?? "";
  expect((await attemptSignIn({ ticket, code: "000000" }, { address })).cookie).toBeNull();
  const [csrf] = session.split("; ").filter((part) => part.includes("csrf"));
  const csrfToken = decodeURIComponent(csrf?.split("=")[1] ?? "").split("|")[0] ?? "";
  await fetch(`${baseUrl()}/api/auth/signout`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: session, Origin: baseUrl(), "X-Forwarded-For": address },
    body: new URLSearchParams({ csrfToken, json: "true" }),
  });
  const entries = (await log("", own.key)).reverse();
  expect(entries.map(({ action }) => action)).toEqual([
    "session.signed_in",
    "account.renamed",
    "account.password_changed",
    "account.two_factor_on",
    "session.code_refused",
    "session.signed_out",
  ]);
  for (const { actor } of entries) expect(actor).toEqual({ type: "user", id: ada.userId, name: ada.email });
  for (const at of [0, 4, 5]) expect(entries[at]).toMatchObject({ address, request_id: expect.stringMatching(/./) });
  expect(JSON.stringify(entries)).not.toContain(String(begun.secret));
});

it("can be filtered by actor, resource and time, within one mode and business", async () => {
  const own = await createMerchant();
  await call("PUT", "/settings", { key: own.key, body: { dunning_days: [1] } });
  await call("POST", "/webhook-endpoints", { key: own.liveKey, body: { url: "https://hooks.invalid/live" } });
  await call("POST", "/webhook-endpoints", { key: own.key, body: { url: "https://hooks.invalid/test" } });
  const actions = async (query: string, key = own.key) => (await log(query, key)).map(({ about }) => about);
  expect(await actions("")).toEqual(["https://hooks.invalid/test", null]);
  expect(await actions("", own.liveKey)).toEqual(["https://hooks.invalid/live", null]);
  expect(await actions("actor=TEST")).toHaveLength(2);
  expect(await actions("actor=unknown")).toEqual([]);
  expect(await actions("action=settings.changed")).toEqual([null]);
  expect(await actions("created_from=2999-01-01")).toEqual([]);
  expect(await actions("created_to=2999-01-01")).toHaveLength(2);
  expect((await call("GET", "/audit-log?action=nonsense", { key: own.key })).status).toBe(422);
  expect((await log()).every(({ business_id }) => business_id === merchant.businessId)).toBe(true);
});

it("is readable by owners, admins, developers and keys with its explicit scope", async () => {
  for (const [role, status] of [
    ["admin", 200],
    ["developer", 200],
    ["support", 403],
    ["viewer", 403],
  ] as const) {
    const { cookie } = await signedIn(merchant, role);
    expect([role, (await callAs(cookie, "GET", "/audit-log")).status]).toEqual([role, status]);
  }
  expect((await call("GET", "/audit-log", { key: await createKey(merchant, ["read", "write"]) })).status).toBe(403);
});

it("cannot be changed, even in the database", async () => {
  const [entry] = await log();
  for (const change of ["UPDATE audit_entry SET about = 'nothing'", "DELETE FROM audit_entry"])
    await expect(asOwner(`${change} WHERE id = '${entry?._id}'`)).rejects.toThrow("only added to");
  await expect(asOwner("TRUNCATE audit_entry")).rejects.toThrow("only added to");
});

it("has no entry for a change that was rolled back", async () => {
  const own = await createMerchant();
  const { userId } = await signedIn(own);
  const { cookie } = await signedIn(own);
  const before = (await log("action=team.role_changed", own.key)).length;
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => callAs(cookie, "PUT", `/team/members/${userId}`, { role: "admin" })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await log("action=team.role_changed", own.key)).toHaveLength(before + 1);
});
