import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { type Authenticator, makeAuthenticator, type Options, type Over } from "@/tests/support/authenticator";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { attemptSignIn, callAs, forgetConfirmation, signedIn, signIn } from "@/tests/support/sign-in";

type Person = Awaited<ReturnType<typeof signedIn>>;

let merchant: Merchant;
let ada: Person;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const optionsOf = (data: unknown) => (data as { options: Options }).options;

const begin = async (person: Person) =>
  optionsOf((await callAs(person.cookie, "POST", "/account/passkeys/options")).json.data);

const add = (person: Person, passkey: unknown, name = "MacBook") =>
  callAs(person.cookie, "POST", "/account/passkeys", { name, passkey });

async function register(person: Person, device = makeAuthenticator(person.userId), name = "MacBook") {
  const reply = await add(person, device.create(await begin(person)), name);
  expect(reply.status, reply.text).toBe(200);
  const { _id, recovery_codes } = reply.json.data as unknown as { _id: string; recovery_codes: string[] | null };
  return { device, id: _id, codes: recovery_codes };
}

/** A browser before the sign-in: the options that it got, and its cookie. */
async function openBrowser(ticket?: string, cookies: string[] = []) {
  const headers = { Origin: baseUrl(), Cookie: cookies.join("; ") };
  const reply = await call("POST", "/passkey-sign-ins", { body: { ticket }, headers });
  expect(reply.status, reply.text).toBe(200);
  const [cookie = ""] = reply.headers.getSetCookie();
  return { options: optionsOf(reply.json.data), cookies: [cookie.split(";")[0] ?? ""], attributes: cookie };
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const enter = ({ cookies }: Pick<Browser, "cookies">, passkey: unknown, ticket?: string) =>
  attemptSignIn({ passkey: JSON.stringify(passkey), ...(ticket && { ticket }) }, { cookies });

async function ticketOf(person: Person, needed: string): Promise<string> {
  const { error, cookie } = await attemptSignIn(person);
  expect(cookie).toBeNull();
  const [, is, ticket = ""] = /^(\w+)\.(.+)$/.exec(String(error)) ?? [];
  expect(is).toBe(needed);
  return ticket;
}

const refusal = { cookie: null, error: "CredentialsSignin" };

describe("a passkey", () => {
  it("is registered with a name, listed with its last use, and removed", async () => {
    const first = await register(ada);
    const second = await register(ada, makeAuthenticator(ada.userId), "YubiKey");
    expect([first.codes?.length, second.codes]).toEqual([10, null]);
    const list = async () => (await callAs(ada.cookie, "GET", "/account/passkeys")).json.data;
    expect((await list()).map(({ name, last_used_at }) => [name, last_used_at])).toEqual([
      ["YubiKey", null],
      ["MacBook", null],
    ]);
    expect((await callAs(ada.cookie, "GET", "/account")).json.data).toMatchObject({
      ...{ passkeys: 2, two_factor: false, recovery_codes_left: 10 },
    });
    const members = (await callAs(ada.cookie, "GET", "/team/members")).json.data;
    expect(members.find(({ _id }) => _id === ada.userId)).toMatchObject({ two_factor: true });
    const browser = await openBrowser();
    expect((await enter(browser, first.device.get(browser.options))).cookie).not.toBeNull();
    expect((await list())[1]?.last_used_at).toMatch(/^\d{4}-/);

    const stranger = await signedIn(merchant);
    const remove = (person: Person, id: string) => callAs(person.cookie, "DELETE", `/account/passkeys/${id}`);
    expect((await remove(stranger, first.id)).status).toBe(404);
    expect((await remove(ada, first.id)).json.data).toMatchObject({ name: "MacBook", deleted: true });
    expect((await remove(ada, first.id)).status).toBe(404);
    expect(await db.recoveryCode.count({ where: { user_id: ada.userId } })).toBe(10);
    const again = await openBrowser();
    expect(await enter(again, first.device.get(again.options))).toMatchObject(refusal);
    await remove(ada, second.id);
    expect(await db.recoveryCode.count({ where: { user_id: ada.userId } })).toBe(0);
    expect(await signIn(ada)).not.toBeNull();
  });

  it("is the person's own: no key, and only after a confirmation", async () => {
    const paths = [
      ["GET", "/account/passkeys"],
      ["POST", "/account/passkeys/options"],
      ["POST", "/account/confirmation/options"],
    ] as const;
    for (const [method, path] of paths) expect((await call(method, path, { key: merchant.key })).status).toBe(403);
    const { device } = await register(ada);
    const options = await begin(ada);
    await forgetConfirmation(ada.userId);
    expect((await callAs(ada.cookie, "POST", "/account/passkeys/options")).json.code).toBe("confirmation_required");
    expect((await add(ada, device.create(options))).json.code).toBe("confirmation_required");
  });

  it("is registered once, by one person, and only so many", async () => {
    const device = makeAuthenticator(ada.userId);
    await register(ada, device);
    const grace = await signedIn(merchant);
    for (const person of [ada, grace])
      expect((await add(person, device.create(await begin(person)))).json.code).toBe("passkey_exists");
    expect((await begin(ada)).excludeCredentials).toMatchObject([{ id: device.id }]);
    for (let i = 1; i < 20; i++) await register(ada);
    expect((await add(ada, makeAuthenticator(ada.userId).create(await begin(ada)))).json.code).toBe(
      "too_many_passkeys",
    );
  });

  const wrongRegistrations: Record<string, Over> = {
    "of another origin": { origin: "https://evil.example" },
    "of another site": { rpId: "evil.example" },
    "with a challenge of its own": { challenge: "A".repeat(43) },
    "without the device's verification": { verified: false },
    "in a frame of another page": { crossOrigin: true },
  };
  it.each(Object.entries(wrongRegistrations))("is not registered by a response %s", async (_, over) => {
    const reply = await add(ada, makeAuthenticator(ada.userId).create(await begin(ada), over));
    expect([reply.status, reply.json.errors]).toEqual([
      422,
      { passkey: ["The passkey could not be verified. Start again."] },
    ]);
    expect(await db.passkey.count({ where: { user_id: ada.userId } })).toBe(0);
  });

  it("is not registered with a used challenge, another session's, an old one, or one for a sign-in", async () => {
    const options = await begin(ada);
    const made = makeAuthenticator(ada.userId).create(options);
    const both = await Promise.all([add(ada, made), add(ada, makeAuthenticator(ada.userId).create(options))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    const elsewhere = await signedIn(merchant);
    const refused = [await begin(elsewhere), (await openBrowser()).options];
    const old = await begin(ada);
    await db.passkeyChallenge.updateMany({ data: { expires_at: new Date() } });
    for (const challenge of [...refused, old])
      expect((await add(ada, makeAuthenticator(ada.userId).create(challenge))).status).toBe(422);
  });
});

describe("a sign-in with a passkey", () => {
  let device: Authenticator;
  let codes: string[] | null;
  beforeEach(async () => {
    ({ device, codes } = await register(ada));
  });

  it("needs nothing else, and reveals nobody before", async () => {
    const browser = await openBrowser();
    expect(browser.attributes).toMatch(/^paydesk-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(browser.options).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
    const { cookie } = await enter(browser, device.get(browser.options));
    expect((await callAs(cookie ?? "", "GET", "/account")).json.data).toMatchObject({ email: ada.email });
    // A sign-in is a confirmation.
    expect((await callAs(cookie ?? "", "POST", "/account/passkeys/options")).status).toBe(200);
    // Two tabs of one browser have a challenge each.
    const tab = await openBrowser(undefined, browser.cookies);
    const other = await openBrowser(undefined, tab.cookies);
    expect((await enter(other, device.get(tab.options))).cookie).not.toBeNull();
    expect((await enter(other, device.get(other.options))).cookie).not.toBeNull();
  });

  const wrong: Record<string, (options: Options) => unknown> = {
    "another origin": (options) => device.get(options, { origin: "https://evil.example" }),
    "another site": (options) => device.get(options, { rpId: "evil.example" }),
    "a challenge of its own": (options) => device.get(options, { challenge: "A".repeat(43) }),
    "no verification by the device": (options) => device.get(options, { verified: false }),
    "a frame of another page": (options) => device.get(options, { crossOrigin: true }),
    "another person's handle": (options) =>
      device.get(options, { userHandle: Buffer.from("usr_x").toString("base64url") }),
    "another signature": (options) =>
      device.get(options, { signature: device.get(options, { rpId: "x" }).response.signature }),
    "an unknown passkey": (options) => makeAuthenticator(ada.userId).get(options),
    "no passkey": () => "",
    "no JSON object": () => 7,
  };
  it.each(Object.entries(wrong))("is refused with %s, and its challenge is used up", async (name, respond) => {
    const browser = await openBrowser();
    expect(await enter(browser, respond(browser.options))).toMatchObject(refusal);
    const isChecked = !["a challenge of its own", "no passkey", "no JSON object"].includes(name);
    const { cookie } = await enter(browser, device.get(browser.options));
    expect(cookie === null).toBe(isChecked);
  });

  it("is refused with a used challenge, another browser's, an old one, or a session's", async () => {
    const browser = await openBrowser();
    const response = device.get(browser.options);
    expect((await enter(browser, response)).cookie).not.toBeNull();
    expect(await enter(browser, response)).toMatchObject(refusal);
    const other = await openBrowser();
    const theirs = device.get(other.options);
    expect(await enter(browser, theirs)).toMatchObject(refusal);
    expect(await enter({ cookies: [] }, theirs)).toMatchObject(refusal);
    expect((await enter(other, theirs)).cookie).not.toBeNull(); // the attempts of others have not used it up
    expect(await enter(browser, device.get(await begin(ada)))).toMatchObject(refusal);
    const late = await openBrowser();
    await db.passkeyChallenge.updateMany({ data: { expires_at: new Date() } });
    expect(await enter(late, device.get(late.options))).toMatchObject(refusal);
  });

  it("is refused once the device's counter goes back, which the audit log shows", async () => {
    const use = async (over?: Over) => {
      const browser = await openBrowser();
      return (await enter(browser, device.get(browser.options, over))).cookie !== null;
    };
    expect(await use({ counter: 10 })).toBe(true);
    for (const counter of [10, 9, 0]) expect(await use({ counter })).toBe(false);
    expect(await use({ counter: 11 })).toBe(true);
    const entries = await db.auditEntry.findMany({ where: { action: "account.passkey_refused" } });
    expect(entries.filter(({ business_id }) => business_id === merchant.businessId)).toHaveLength(3);
    const shared = await register(ada, makeAuthenticator(ada.userId, { counts: false }));
    device = shared.device;
    expect([await use(), await use()]).toEqual([true, true]);
  });

  it("is the second step after the password, like a code", async () => {
    const ticket = await ticketOf(ada, "PasskeyNeeded");
    const browser = await openBrowser(ticket);
    expect(browser.options.allowCredentials).toMatchObject([{ id: device.id }]);
    const grace = await signedIn(merchant);
    const theirs = await register(grace);
    expect(await enter(browser, theirs.device.get(browser.options), ticket)).toMatchObject(refusal);
    const next = await openBrowser(ticket);
    expect(await enter(next, device.get(next.options), `${ticket}x`)).toMatchObject(refusal);
    const last = await openBrowser(ticket);
    expect((await enter(last, device.get(last.options), ticket)).cookie).not.toBeNull();
    expect((await attemptSignIn({ ticket, code: "123456" })).error).toBe("CredentialsSignin");
    expect((await attemptSignIn({ ticket, code: codes?.[0] ?? "" })).cookie).not.toBeNull();
    expect((await openBrowser("forged")).options.allowCredentials).toEqual([]);
  });
});

describe("a confirmation with a passkey", () => {
  const options = async (person: Person) =>
    optionsOf((await callAs(person.cookie, "POST", "/account/confirmation/options")).json.data);
  const confirm = async (person: Person, passkey: unknown) =>
    (await callAs(person.cookie, "POST", "/account/confirmation", { passkey })).status;

  it("takes this person's own, in this session, once", async () => {
    const { device } = await register(ada);
    const grace = await signedIn(merchant);
    const theirs = await register(grace);
    await forgetConfirmation(ada.userId);
    const asked = await options(ada);
    expect(asked.allowCredentials).toMatchObject([{ id: device.id }]);
    expect(await confirm(ada, theirs.device.get(asked))).toBe(422);
    expect(await confirm(ada, device.get(await options(grace)))).toBe(422);
    expect(await confirm(ada, device.get(await options(ada), { origin: "https://evil.example" }))).toBe(422);
    expect((await callAs(ada.cookie, "POST", "/account/confirmation", { password: ada.password })).status).toBe(422);
    expect((await callAs(ada.cookie, "POST", "/account/passkeys/options")).status).toBe(403);
    const response = device.get(await options(ada));
    expect(await confirm(ada, response)).toBe(200);
    expect(await confirm(ada, response)).toBe(422);
    expect((await callAs(ada.cookie, "POST", "/account/passkeys/options")).status).toBe(200);
  });

  it("is refused and audited once the device's counter goes back, also with an Idempotency-Key", async () => {
    const { device } = await register(ada, makeAuthenticator(ada.userId));
    expect(await confirm(ada, device.get(await options(ada), { counter: 10 }))).toBe(200);
    const passkey = device.get(await options(ada), { counter: 9 });
    const headers = { Origin: baseUrl(), Cookie: ada.cookie, "Idempotency-Key": randomUUID() };
    const refused = await call("POST", "/account/confirmation", { body: { passkey }, headers });
    expect(refused.status, refused.text).toBe(422);
    const where = { action: "account.passkey_refused", business_id: merchant.businessId };
    expect(await db.auditEntry.count({ where })).toBe(1);
  });
});
