import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { makeAuthenticator, type Options } from "@/tests/support/authenticator";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";

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

/**
 * Starts two requests in this order, and lets neither commit before both are at work. Both write an entry or a row of the business, and
 * so wait for the lock of it.
 * @param table one that the first request writes before it waits
 */
async function together(table: string, first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<number[]> {
  const both = await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM business WHERE id = ${merchant.businessId} FOR UPDATE`;
      const one = first();
      const isWaiting = async () =>
        (
          await tx.$queryRaw<object[]>`
            SELECT pid FROM pg_locks WHERE relation = ${table}::text::regclass AND mode = 'RowExclusiveLock'
               AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`
        ).length > 0;
      while (!(await isWaiting())) await sleep(20);
      const two = second();
      await Promise.race([two, sleep(500)]); // less than the server's lock_timeout
      return [one, two];
    },
    { timeout: 20_000 },
  );
  return (await Promise.all(both)).map(({ status }) => status);
}

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
    expect(await together("password_reset", reset, add)).toEqual([200, 401]);
    expect(await db.passkey.count({ where: { user_id: ada.userId } })).toBe(0);
  });

  it("turns no two-factor sign-in on", async () => {
    const code = await beginApp();
    expect(await together("password_reset", reset, () => as("PUT", "/account/two-factor", { code }))).toEqual([
      200, 401,
    ]);
    expect((await db.user.findUniqueOrThrow({ where: { id: ada.userId } })).two_factor_at).toBeNull();
  });

  it("does not turn it off", async () => {
    const code = await beginApp();
    expect((await as("PUT", "/account/two-factor", { code })).status).toBe(200);
    const off = () => as("POST", "/account/two-factor/disable", { password: ada.password });
    expect(await together("password_reset", reset, off)).toEqual([200, 401]);
    expect((await db.user.findUniqueOrThrow({ where: { id: ada.userId } })).two_factor_at).not.toBeNull();
  });

  it("leaves no API key to an account that was never confirmed", async () => {
    await db.user.update({ where: { id: ada.userId }, data: { email_verified_at: null } });
    const make = () => as("POST", "/api-keys", { name: "Back door", scopes: ["read"] });
    expect(await together("api_key", make, reset)).toEqual([200, 200]);
    expect(await db.apiKey.count({ where: { created_by: ada.userId, revoked_at: null } })).toBe(0);
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
    const { of } = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT role FROM membership WHERE business_id = ${business_id} AND role = 'owner' FOR UPDATE`;
      await tx.membership.updateMany({ where: { business_id, user_id: admin.userId }, data: { role: "viewer" } });
      const named = path.replace("{member}", grace.userId).replace("{invitation}", String(_id));
      const pending = callAs(admin.cookie, method, named, body);
      await Promise.race([pending, sleep(500)]);
      return { of: pending };
    });
    expect((await of).status).toBe(403);
    expect(await state()).toEqual(before);
  });
});
