import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { launch, paydeskWeb } from "@/tests/support/launch";
import { attemptSignIn, callAs, createStaff, signedIn, signIn } from "@/tests/support/sign-in";

const next = "a new phrase of five words";

let merchant: Merchant;
let ada: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const alive = async (cookie: string) => (await callAs(cookie, "GET", "/account")).status === 200;

describe("one's own account", () => {
  it("can be read and renamed", async () => {
    const { data } = (await callAs(ada.cookie, "GET", "/account")).json;
    expect(data).toMatchObject({ _id: ada.userId, email: ada.email, role: "owner", two_factor: false });
    expect((await callAs(ada.cookie, "PUT", "/account", { name: "Ada King" })).json.data.name).toBe("Ada King");
    expect((await callAs(ada.cookie, "PUT", "/account", { name: " " })).json.errors).toHaveProperty("name");
    expect((await call("GET", "/account", { key: merchant.key })).status).toBe(403);
  });

  it("changes the password only with the current one, and ends every other session", async () => {
    const other = (await signIn(ada)) ?? "";
    const put = (current_password: string, password: string) =>
      callAs(ada.cookie, "PUT", "/account/password", { current_password, password });
    expect((await put("wrong", next)).json.errors).toEqual({ current_password: ["The password is wrong."] });
    expect((await put(ada.password, "short")).json.errors).toEqual({
      password: ["The password must be at least 12 characters."],
    });
    for (const weak of ["123456789012", "passwordpassword", "qwertyuiop12", "aaaaaaaaaaaaaaa", `${ada.email}`])
      expect([weak, (await put(ada.password, weak)).json.errors.password?.[0]]).toEqual([
        weak,
        expect.stringContaining("too easy to guess"),
      ]);
    expect(await alive(other)).toBe(true);
    expect((await put(ada.password, next)).status).toBe(200);
    expect([await alive(ada.cookie), await alive(other)]).toEqual([true, false]);
    expect(await signIn(ada)).toBeNull();
    expect(await signIn({ ...ada, password: next })).not.toBeNull();
  });

  it("refuses the last four passwords, at a change and at a reset", async () => {
    const put = (current_password: string, password: string) =>
      callAs(ada.cookie, "PUT", "/account/password", { current_password, password });
    const used = [ada.password, ...["first", "second", "third", "fourth"].map((word) => `the ${word} phrase of mine`)];
    const refused = { password: ["You have used this password before. Choose a new one."] };
    for (let i = 1; i < used.length; i++) {
      for (const old of used.slice(Math.max(0, i - 4), i))
        expect([old, (await put(used[i - 1] ?? "", old)).json.errors]).toEqual([old, refused]);
      expect((await put(used[i - 1] ?? "", used[i] ?? "")).status).toBe(200);
    }
    const token = (await createPasswordReset(db, ada.userId)).url.split("/").at(-1);
    const reset = (password: string) =>
      call("PUT", "/password-resets", { body: { token, password }, headers: { Origin: baseUrl() } });
    expect((await reset(used[1] ?? "")).json.errors).toEqual(refused);
    expect((await reset(used[0] ?? "")).status, "the fifth last").toBe(200);
    expect(await db.formerPassword.count({ where: { user_id: ada.userId } })).toBe(3);
  });

  it("accepts one of two simultaneous password changes", async () => {
    const changes = [next, `${next} again`].map((password) =>
      callAs(ada.cookie, "PUT", "/account/password", { current_password: ada.password, password }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it("cannot be taken over by guessing the password from a stolen session", async () => {
    const put = () => callAs(ada.cookie, "PUT", "/account/password", { current_password: "wrong", password: next });
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await put()).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    expect((await put()).headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("one's own sessions", () => {
  it("are listed with their clients, and can be ended one by one or all at once", async () => {
    const agent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
    const second = (await attemptSignIn(ada, { address: "203.0.113.7", agent })).cookie ?? "";
    const third = (await signIn(ada)) ?? "";
    const { data } = (await callAs(ada.cookie, "GET", "/account/sessions")).json;
    expect(data.map(({ current }) => current)).toEqual([false, false, true]);
    expect(data[1]).toMatchObject({ browser: "Chrome 140", device: "macOS", address: "203.0.113.7" });
    const stranger = await signedIn(merchant);
    expect((await callAs(stranger.cookie, "DELETE", `/account/sessions/${data[1]?._id}`)).status).toBe(404);
    expect((await callAs(ada.cookie, "DELETE", `/account/sessions/${data[1]?._id}`)).json.data).toMatchObject({
      deleted: true,
    });
    expect([await alive(second), await alive(third)]).toEqual([false, true]);
    expect((await callAs(ada.cookie, "DELETE", "/account/sessions")).json.data).toMatchObject({ ended: 1 });
    expect([await alive(third), await alive(ada.cookie), await alive(stranger.cookie)]).toEqual([false, true, true]);
  });
});

describe("signing in again", () => {
  it("ends the session that the browser had, also another person's", async () => {
    const first = (await signIn(ada)) ?? "";
    const wrong = await attemptSignIn({ ...ada, password: "wrong" }, { cookie: first });
    expect([wrong.cookie, await alive(first)]).toEqual([null, true]);
    const second = (await attemptSignIn(ada, { cookie: first })).cookie ?? "";
    expect([await alive(first), await alive(second), await alive(ada.cookie)]).toEqual([false, true, true]);
    const grace = await createStaff(merchant);
    const third = (await attemptSignIn(grace, { cookie: second })).cookie ?? "";
    expect([await alive(second), await alive(third)]).toEqual([false, true]);
  });
});

describe("two-factor sign-in", () => {
  const appOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret), period: 30, digits: 6 });
  const codeAt = (app: TOTP, steps: number) => app.generate({ timestamp: Date.now() + steps * 30_000 });

  async function enrol() {
    const begun = await callAs(ada.cookie, "POST", "/account/two-factor");
    const { secret, otpauth_uri, qr_svg } = begun.json.data as unknown as Record<string, string>;
    expect(otpauth_uri).toContain("otpauth://totp/Paydesk:");
    expect(qr_svg).toMatch(/^<svg /);
    const app = appOf(String(secret));
    const confirmed = await callAs(ada.cookie, "PUT", "/account/two-factor", { code: codeAt(app, -1) });
    expect(confirmed.status, confirmed.text).toBe(200);
    return { app, secret: String(secret), codes: confirmed.json.data.recovery_codes as string[] };
  }
  async function ticketOf(address?: string): Promise<string> {
    const { error, cookie } = await attemptSignIn(ada, { address });
    expect(cookie).toBeNull();
    return /^CodeNeeded\.(.+)$/.exec(String(error))?.[1] ?? "";
  }

  it("accepts an app code or a recovery code after the password, each once", async () => {
    const { app, secret, codes } = await enrol();
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    const [kept] = await db.$queryRaw<{ all: string }[]>`
      SELECT string_agg(t, ' ') AS all FROM (SELECT to_jsonb(u)::text AS t FROM staff_user u WHERE id = ${ada.userId}
        UNION ALL SELECT to_jsonb(r)::text FROM recovery_code r WHERE user_id = ${ada.userId}) x`;
    for (const text of [secret, ...codes]) expect(kept?.all).not.toContain(text);

    const ticket = await ticketOf();
    expect((await attemptSignIn({ ticket, code: "000000" })).error).toBe("CredentialsSignin");
    expect((await attemptSignIn({ ticket, code: codeAt(app, -1) })).error).toBe("CredentialsSignin"); // the confirmation has consumed it
    const good = codeAt(app, 0);
    const replies = await Promise.all([1, 2, 3].map(() => attemptSignIn({ ticket, code: good })));
    expect(replies.filter(({ cookie }) => cookie).length).toBe(1);
    const recovery = codes[3] ?? "";
    const recovered = await Promise.all([1, 2].map(() => attemptSignIn({ ticket, code: recovery.toUpperCase() })));
    expect(recovered.filter(({ cookie }) => cookie).length).toBe(1);
    expect((await callAs(ada.cookie, "GET", "/account")).json.data).toMatchObject({
      two_factor: true,
      recovery_codes_left: 9,
    });
    expect((await attemptSignIn({ ticket: `${ticket}x`, code: codeAt(app, 1) })).error).toBe("CredentialsSignin");
    expect((await attemptSignIn({ ticket, code: codeAt(app, 1) })).cookie).not.toBeNull();
  });

  it("limits codes like passwords, and a password change invalidates a started sign-in", async () => {
    const { app, codes } = await enrol();
    const address = "198.51.100.9";
    const ticket = await ticketOf(address);
    const errors: (string | null)[] = [];
    for (let i = 0; i < 6; i++) errors.push((await attemptSignIn({ ticket, code: "000000" }, { address })).error);
    expect(errors.slice(0, 5)).toEqual(Array(5).fill("CredentialsSignin"));
    expect(errors[5]).toMatch(/^TooManyAttempts\.\d+$/);
    const refused = await attemptSignIn({ ticket, code: codeAt(app, 0) }, { address });
    expect([refused.status, refused.cookie]).toEqual([429, null]);
    // From the owner's known address, sign-in still works.
    expect((await attemptSignIn({ ticket, code: codes[0] ?? "" })).cookie).not.toBeNull();
    await callAs(ada.cookie, "PUT", "/account/password", { current_password: ada.password, password: next });
    expect((await attemptSignIn({ ticket, code: codes[1] ?? "" })).error).toBe("CredentialsSignin");
  });

  it("is turned off with the password, after a confirmation", async () => {
    await enrol();
    const end = (password: string) => callAs(ada.cookie, "POST", "/account/two-factor/disable", { password });
    expect((await end("wrong")).json.errors).toHaveProperty("password");
    expect((await callAs(ada.cookie, "POST", "/account/two-factor")).json.code).toBe("two_factor_on");
    expect((await end(ada.password)).json.data).toMatchObject({ two_factor: false, recovery_codes_left: 0 });
    expect(await signIn(ada)).not.toBeNull();
    expect((await end(ada.password)).json.code).toBe("two_factor_off");
  });
});

describe("one's own businesses", () => {
  it("can be listed, entered and left; a page of another business cannot write", async () => {
    const other = await createMerchant("Another shop");
    await db.membership.create({ data: { business_id: other.businessId, user_id: ada.userId, role: "viewer" } });
    const { data } = (await callAs(ada.cookie, "GET", "/account/businesses")).json;
    expect(data.map(({ name, role, current }) => [name, role, current])).toEqual([
      ["Another shop", "viewer", false],
      ["Blue Bottle Books", "owner", true],
    ]);
    const enter = (id: unknown) => callAs(ada.cookie, "POST", `/account/businesses/${id}/switch`);
    expect((await enter(other.businessId)).json.data).toMatchObject({ current: true, role: "viewer" });
    expect((await callAs(ada.cookie, "GET", "/account")).json.data.business_name).toBe("Another shop");
    const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
    expect((await callAs(ada.cookie, "POST", "/payment-links", link)).status).toBe(403);
    const stale = await call("GET", "/payment-links", {
      headers: { Cookie: ada.cookie, Origin: baseUrl(), "X-Paydesk-Business": String(merchant.businessId) },
    });
    expect([stale.status, stale.json.code]).toEqual([409, "business_changed"]);
    // The next sign-in starts in the last business.
    const again = (await signIn(ada)) ?? "";
    expect((await callAs(again, "GET", "/account")).json.data.business_id).toBe(other.businessId);
    const stranger = await createMerchant();
    const foreign = await enter(stranger.businessId);
    for (const id of ["0", "x", "99999999999", "1'"]) expect((await enter(id)).text).toBe(foreign.text);
    expect(foreign.status).toBe(404);
    const left = await callAs(ada.cookie, "DELETE", `/account/businesses/${other.businessId}`);
    expect(left.json.data).toMatchObject({ deleted: true });
    expect(await alive(ada.cookie)).toBe(false);
  });
});

describe("another business", () => {
  const shop = { name: "Harbour Books", currency: "CHF", timezone: "Europe/Zurich" };
  const octet = () => Math.floor(Math.random() * 254) + 1;
  const someAddress = () => `10.${octet()}.${octet()}.${octet()}`;
  const make = (cookie: string, body: unknown, address = someAddress(), key?: string) =>
    call("POST", "/account/businesses", {
      body,
      headers: {
        ...{ Cookie: cookie, Origin: baseUrl(), "X-Forwarded-For": address },
        ...(key && { "Idempotency-Key": key }),
      },
    });

  it("is created by a signed-in person, who becomes its owner and is switched to it", async () => {
    const staff = await createStaff(await createMerchant(), "viewer");
    const cookie = (await signIn(staff)) ?? "";
    const made = await make(cookie, shop);
    expect(made.status, made.text).toBe(200);
    expect(made.json.data).toMatchObject({ name: "Harbour Books", role: "owner", current: true, only_owner: true });
    expect((await callAs(cookie, "GET", "/account")).json.data).toMatchObject({
      role: "owner",
      business_id: Number(made.json.data._id),
    });
    expect((await callAs(cookie, "GET", "/settings")).json.data).toMatchObject(shop);
    const actions = (await callAs(cookie, "GET", "/audit-log")).json.data as unknown as { action: string }[];
    expect(actions.map(({ action }) => action)).toEqual(["session.entered", "business.registered"]);
    const again = (await signIn(staff)) ?? "";
    expect((await callAs(again, "GET", "/account")).json.data.business_name).toBe("Harbour Books");
    const rows = (await callAs(again, "GET", "/account/businesses")).json.data;
    expect(rows.map(({ role, only_owner }) => [role, only_owner])).toEqual([
      ["owner", true],
      ["viewer", false],
    ]);
  });

  it("is created once for one Idempotency-Key", async () => {
    const staff = await createStaff(await createMerchant());
    const cookie = (await signIn(staff)) ?? "";
    const key = randomUUID();
    const first = await make(cookie, shop, someAddress(), key);
    const second = await make(cookie, shop, someAddress(), key);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect((await make(cookie, { ...shop, name: "Other" }, someAddress(), key)).status).toBe(409);
    expect(await db.membership.count({ where: { user_id: staff.userId } })).toBe(2);
  });

  it("is created when its transaction holds the last database connection", async () => {
    const { DATABASE_URL, APP_SECRET } = process.env;
    const server = await launch({ DATABASE_URL, APP_SECRET, DATABASE_POOL: "1" }, paydeskWeb);
    try {
      const made = await fetch(`${server.url}/api/account/businesses`, {
        method: "POST",
        headers: {
          ...{ "Content-Type": "application/json", Cookie: ada.cookie, Origin: server.url },
          "Idempotency-Key": randomUUID(),
        },
        body: JSON.stringify(shop),
      });
      expect(made.status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  it("needs a session and a name, and counts as a registration", async () => {
    const staff = await createStaff(await createMerchant());
    const cookie = (await signIn(staff)) ?? "";
    expect((await call("POST", "/account/businesses", { key: merchant.key, body: shop })).status).toBe(403);
    expect((await make("", shop)).status).toBe(401);
    expect((await make(cookie, {})).json.errors).toEqual({
      name: ["The name field is required."],
      currency: ["The currency field is required."],
      timezone: ["The timezone field is required."],
    });
    const address = someAddress();
    const registrations = Array.from({ length: 5 }, () => ({
      ...{ business_name: "Shop", currency: "EUR", timezone: "UTC", name: "Ada", password: staff.password },
      email: `${randomUUID()}@example.com`,
    }));
    for (const body of registrations) {
      const headers = { Origin: baseUrl(), "X-Forwarded-For": address };
      expect((await call("POST", "/registrations", { body, headers })).status).toBe(200);
    }
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await make(cookie, shop, address)).status);
    expect(statuses).toEqual([...Array(5).fill(200), 429]);
  });

  it("cannot be left by its only owner, and says so beforehand", async () => {
    const staff = await createStaff(await createMerchant());
    const cookie = (await signIn(staff)) ?? "";
    const id = (await make(cookie, shop)).json.data._id;
    const leave = () => callAs(cookie, "DELETE", `/account/businesses/${id}`);
    const refused = await leave();
    expect([refused.status, refused.json.code]).toEqual([409, "last_owner"]);
    const other = await createStaff(await createMerchant());
    await db.membership.create({ data: { business_id: Number(id), user_id: other.userId, role: "owner" } });
    const [own] = (await callAs(cookie, "GET", "/account/businesses")).json.data as unknown as object[];
    expect(own).toMatchObject({ _id: id, only_owner: false });
    expect((await leave()).json.data).toMatchObject({ _id: id, deleted: true });
  });
});

it("a person removed while switching to a business does not get in", async () => {
  const other = await createMerchant("Another shop");
  await db.membership.create({ data: { business_id: other.businessId, user_id: ada.userId, role: "viewer" } });
  const boss = await createStaff(other);
  const cookie = (await signIn(boss)) ?? "";
  await Promise.all([
    callAs(ada.cookie, "POST", `/account/businesses/${other.businessId}/switch`),
    callAs(cookie, "DELETE", `/team/members/${ada.userId}`),
  ]);
  expect(await db.session.count({ where: { user_id: ada.userId, business_id: other.businessId } })).toBe(0);
});

it("a switch of business waits for a concurrent password change, and not the reverse", async () => {
  const reply = await db.$transaction(async (tx) => {
    await tx.user.update({ where: { id: ada.userId }, data: { password_hash: "another" } });
    const entered = callAs(ada.cookie, "POST", `/account/businesses/${merchant.businessId}/switch`);
    await sleep(300);
    await tx.session.deleteMany({ where: { user_id: ada.userId } });
    return { entered };
  });
  expect((await reply.entered).status).toBe(401);
});
