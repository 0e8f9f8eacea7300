import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { makeAuthenticator, type Options } from "@/tests/support/authenticator";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";

// Requests that were authenticated before a password reset, and go on after it.

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
      await Promise.race([two, sleep(2_000)]);
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
