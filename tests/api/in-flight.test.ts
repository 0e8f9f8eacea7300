import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db, Prisma } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { makeAuthenticator, type Options } from "@/tests/support/authenticator";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";
import { together } from "@/tests/support/together";

// Requests that were authenticated before something ended what they rest on, and go on after it.

const password = "six quiet rivers past the mill";

let merchant: Merchant;
let ada: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

async function reset(): Promise<Reply> {
  const { url } = await createPasswordReset(db, ada.userId);
  const token = url.split("/").at(-1);
  return call("PUT", "/password-resets", { body: { token, password }, headers: { Origin: baseUrl() } });
}

/** The statuses of a reset, which waits for Ada's session, and of a request that begins meanwhile. */
const overtaken = (request: () => Promise<Reply>): Promise<number[]> =>
  together(
    Prisma.sql`SELECT id FROM session WHERE user_id = ${ada.userId} FOR UPDATE`,
    "password_reset",
    reset,
    request,
  );

describe("a request of a session that a password reset ends", () => {
  const as = (method: string, path: string, body?: unknown) => callAs(ada.cookie, method, path, body);

  async function beginApp(): Promise<string> {
    const begun = (await as("POST", "/account/two-factor")).json.data;
    return new TOTP({ secret: Secret.fromBase32(String(begun.secret)) }).generate();
  }

  it("adds no passkey", async () => {
    const { options } = (await as("POST", "/account/passkeys/options")).json.data as unknown as { options: Options };
    const passkey = makeAuthenticator(ada.userId).create(options);
    const add = () => as("POST", "/account/passkeys", { name: "Back door", passkey });
    expect(await overtaken(add)).toEqual([200, 401]);
    expect(await db.passkey.count({ where: { user_id: ada.userId } })).toBe(0);
  });

  it("turns no two-factor sign-in on", async () => {
    const code = await beginApp();
    expect(await overtaken(() => as("PUT", "/account/two-factor", { code }))).toEqual([200, 401]);
    expect((await db.user.findUniqueOrThrow({ where: { id: ada.userId } })).two_factor_at).toBeNull();
  });

  it("does not turn it off", async () => {
    const code = await beginApp();
    expect((await as("PUT", "/account/two-factor", { code })).status).toBe(200);
    const off = () => as("POST", "/account/two-factor/disable", { password: ada.password });
    expect(await overtaken(off)).toEqual([200, 401]);
    expect((await db.user.findUniqueOrThrow({ where: { id: ada.userId } })).two_factor_at).not.toBeNull();
  });
});

describe("a request of an admin who becomes a viewer meanwhile", () => {
  it.each([
    ["PUT", "/team/members/{member}", { role: "admin" }],
    ["DELETE", "/team/members/{member}", undefined],
    ["DELETE", "/team/members/{member}/sessions", undefined],
    ["POST", "/team/invitations/{invitation}/resend", undefined],
    ["DELETE", "/team/invitations/{invitation}", undefined],
  ])("%s %s changes nothing", async (method, path, body) => {
    const business_id = merchant.businessId;
    const [admin, grace] = [await signedIn(merchant, "admin"), await signedIn(merchant, "support")];
    const invited = { email: `x-${grace.email}`, role: "viewer" };
    const { _id } = (await callAs(ada.cookie, "POST", "/team/invitations", invited)).json.data;
    const state = async () => ({
      member: await db.membership.findFirst({ where: { business_id, user_id: grace.userId } }),
      sessions: await db.session.count({ where: { user_id: grace.userId } }),
      invitation: await db.invitation.findUnique({ where: { id: String(_id) } }),
    });
    const before = await state();
    const named = path.replace("{member}", grace.userId).replace("{invitation}", String(_id));
    expect(await demotedDuring(admin.userId, () => callAs(admin.cookie, method, named, body))).toBe(403);
    expect(await state()).toEqual(before);
  });

  it.each([
    ["POST", "/gateway-accounts", () => ({ secret_key: process.env.TEST_STRIPE_KEY })],
    ["PUT", "/settings", () => ({ bank_holder: "Mallory", bank_iban: "DE89370400440532013000" })],
  ])("%s %s sends no money elsewhere", async (method, path, body) => {
    const business_id = merchant.businessId;
    const admin = await signedIn(merchant, "admin");
    expect(await demotedDuring(admin.userId, () => callAs(admin.cookie, method, path, body()))).toBe(403);
    expect(await db.gatewayAccount.count({ where: { business_id } })).toBe(0);
    expect(await db.business.findUnique({ where: { id: business_id } })).toMatchObject({ bank_iban: null });
    const action = { in: ["gateway_account.connected", "settings.changed"] };
    expect(await db.auditEntry.count({ where: { business_id, action } })).toBe(0);
  });

  it("connects no account with a key of that admin either", async () => {
    const admin = await signedIn(merchant, "admin");
    const input = { name: "Setup", scopes: ["gateway_accounts:write"] };
    const { key } = (await callAs(admin.cookie, "POST", "/api-keys", input)).json.data as unknown as { key: string };
    const body = { secret_key: process.env.TEST_STRIPE_KEY };
    expect(await demotedDuring(admin.userId, () => call("POST", "/gateway-accounts", { key, body }))).toBe(403);
    expect(await db.gatewayAccount.count({ where: { business_id: merchant.businessId } })).toBe(0);
  });

  it("connects no account with a key whose overlap ends meanwhile", async () => {
    const { businessId: business_id } = merchant;
    const input = { name: "Setup", scopes: ["gateway_accounts:write"] };
    const { key, _id } = (await callAs(ada.cookie, "POST", "/api-keys", input)).json.data as Record<string, string>;
    const body = { secret_key: process.env.TEST_STRIPE_KEY };
    const lock = Prisma.sql`SELECT role FROM membership WHERE business_id = ${business_id} AND user_id = ${ada.userId} FOR UPDATE`;
    const end = Prisma.sql`UPDATE api_key SET expires_at = clock_timestamp() WHERE id = ${_id}`;
    expect(await endedDuring(lock, end, () => call("POST", "/gateway-accounts", { key, body }))).toBe(401);
    expect(await db.gatewayAccount.count({ where: { business_id } })).toBe(0);
  });

  /** The status of an admin's request that is at work while a transaction makes the admin a viewer. */
  async function demotedDuring(user_id: string, request: () => Promise<Reply>): Promise<number> {
    const { businessId: business_id } = merchant;
    const { of } = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT role FROM membership WHERE business_id = ${business_id} AND role = 'owner' FOR UPDATE`;
      await tx.membership.updateMany({ where: { business_id, user_id }, data: { role: "viewer" } });
      const pending = request();
      await Promise.race([pending, sleep(500)]);
      return { of: pending };
    });
    return (await of).status;
  }

  it("makes no key and moves no bank account with a key that is revoked meanwhile", async () => {
    const { businessId: business_id } = merchant;
    const scopes = ["api_keys:write", "settings:write", "gateway_accounts:write"];
    const stolen = await createKey(merchant, scopes, { livemode: true });
    await createKey(merchant, ["settings:write"], { livemode: true });
    const idOf = async (name: string) => (await db.apiKey.findFirstOrThrow({ where: { business_id, name } })).id;
    const [id, other] = [await idOf(scopes.join(" ")), await idOf("settings:write")];
    const revoke = Prisma.sql`UPDATE api_key SET revoked_at = now() WHERE id = ${id}`;
    const lock = Prisma.sql`SELECT id FROM api_key WHERE id = ${other} FOR UPDATE`;
    const rotate = () => call("POST", `/api-keys/${other}/rotate`, { key: stolen, body: {} });
    expect(await endedDuring(lock, revoke, rotate)).toBe(401);
    expect(await db.apiKey.findUnique({ where: { id: other } })).toMatchObject({ replaced_by: null });
    await db.apiKey.update({ where: { id }, data: { revoked_at: null } });
    const settings = Prisma.sql`SELECT id FROM business WHERE id = ${business_id} FOR UPDATE`;
    const body = { bank_holder: "Mallory", bank_iban: "DE89370400440532013000" };
    expect(await endedDuring(settings, revoke, () => call("PUT", "/settings", { key: stolen, body }))).toBe(401);
    expect(await db.business.findUnique({ where: { id: business_id } })).toMatchObject({ bank_iban: null });
  });

  /** The status of a request that waits for a lock while the caller is ended. */
  async function endedDuring(lock: Prisma.Sql, end: Prisma.Sql, request: () => Promise<Reply>): Promise<number> {
    const { of } = await db.$transaction(async (tx) => {
      await tx.$queryRaw(lock);
      const pending = request();
      const waiting = () => tx.$queryRaw<object[]>`
        SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
      while ((await waiting()).length === 0) await sleep(20);
      await tx.$executeRaw(end);
      return { of: pending };
    });
    return (await of).status;
  }
});
