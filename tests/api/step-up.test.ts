import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { beginTwoFactor, confirmTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { attemptSignIn, callAs, forgetConfirmation, signedIn, signIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let ada: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const confirm = (body: object, cookie = ada.cookie) => callAs(cookie, "POST", "/account/confirmation", body);
const makeLiveKey = async (cookie = ada.cookie) =>
  (await callAs(cookie, "POST", "/api-keys", { name: "Web shop", scopes: ["read"] }, "live")).status;

describe("a confirmation of one's identity", () => {
  it("counts for ten minutes, for this session alone; a sign-in is one", async () => {
    const other = (await signIn(ada)) ?? "";
    expect([await makeLiveKey(), await makeLiveKey(other)]).toEqual([200, 200]);
    await forgetConfirmation(ada.userId);
    expect([await makeLiveKey(), await makeLiveKey(other)]).toEqual([403, 403]);
    const { data } = (await confirm({ password: ada.password })).json;
    const left = Date.parse(String(data.confirmed_until)) - Date.now();
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    expect([await makeLiveKey(), await makeLiveKey(other)]).toEqual([200, 403]);
  });

  it("is not asked for what is not sensitive", async () => {
    await forgetConfirmation(ada.userId);
    const key = { name: "Web shop", scopes: ["read"] };
    expect((await callAs(ada.cookie, "POST", "/api-keys", key)).status).toBe(200);
    expect((await callAs(ada.cookie, "PUT", "/settings", { support_phone: "+49 30 5550100" })).status).toBe(200);
    const viewer = { email: "grace@example.com", role: "viewer" };
    expect((await callAs(ada.cookie, "POST", "/team/invitations", viewer)).status).toBe(200);
  });

  it.each(["owner", "admin", "developer"])("is asked for before a member becomes %s", async (role) => {
    const { userId } = await signedIn(merchant, "viewer");
    await forgetConfirmation(ada.userId);
    const invited = await callAs(ada.cookie, "POST", "/team/invitations", { email: "grace@example.com", role });
    const changed = await callAs(ada.cookie, "PUT", `/team/members/${userId}`, { role });
    expect([invited.json.code, changed.json.code]).toEqual(["confirmation_required", "confirmation_required"]);
  });

  it("takes the right password of this person, and few guesses", async () => {
    await forgetConfirmation(ada.userId);
    expect((await confirm({})).json.errors).toEqual({ password: ["The password field is required."] });
    expect((await confirm({ code: "123456" })).json.errors).toHaveProperty("password");
    expect((await call("POST", "/account/confirmation", { key: merchant.key, body: {} })).status).toBe(403);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await confirm({ password: "wrong" })).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    expect(await makeLiveKey()).toBe(403);
  });

  it("takes the second factor where there is one, and then no password", async () => {
    const { secret } = await beginTwoFactor(db, { id: ada.userId, email: ada.email });
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number) => app.generate({ timestamp: Date.now() + steps * 30_000 });
    const used = codeAt(-1);
    const codes = await confirmTwoFactor(db, ada.userId, used);
    await forgetConfirmation(ada.userId);
    expect((await confirm({ password: ada.password })).json.errors).toEqual({ code: ["The code field is required."] });
    expect((await confirm({ code: used })).json.errors).toHaveProperty("code");
    expect(await makeLiveKey()).toBe(403);
    expect((await confirm({ code: codeAt(0) })).status).toBe(200);
    expect(await makeLiveKey()).toBe(200);
    await forgetConfirmation(ada.userId);
    expect((await confirm({ code: codes?.[0] })).status).toBe(200);
    expect((await confirm({ code: codes?.[0] })).json.errors).toHaveProperty("code");
  });

  it("is needed in sessions from before it existed", async () => {
    await db.session.updateMany({ where: { user_id: ada.userId }, data: { confirmed_at: null } });
    expect(await makeLiveKey()).toBe(403);
    const { cookie } = await attemptSignIn(ada);
    expect(await makeLiveKey(cookie ?? "")).toBe(200);
  });
});
