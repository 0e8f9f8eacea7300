import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { command } from "@/tests/support/command";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { freePort, launch, paydeskWeb } from "@/tests/support/launch";
import { attemptSignIn, callAs, createStaff, signedIn, signIn } from "@/tests/support/sign-in";

const password = "six quiet rivers past the mill";
const octet = () => Math.floor(Math.random() * 254) + 1;
const someAddress = () => `10.${octet()}.${octet()}.${octet()}`;
const shop = (email: string) => ({
  business_name: "Blue Bottle Books",
  currency: "CHF",
  timezone: "Europe/Zurich",
  name: "Ada Lovelace",
  email,
  password,
});
const someone = () => `ada-${randomUUID()}@example.com`;
const post = (path: string, body: unknown, address = someAddress(), method = "POST") =>
  call(method, path, { body, headers: { Origin: baseUrl(), "X-Forwarded-For": address } });

describe("registration", () => {
  it("creates a business and its owner, who can sign in immediately", async () => {
    const email = someone();
    const made = await post("/registrations", shop(email.toUpperCase()));
    expect(made.status, made.text).toBe(200);
    expect(made.json.data).toMatchObject({ email, currency: "CHF", timezone: "Europe/Zurich" });
    const cookie = (await signIn({ email, password })) ?? "";
    const account = (await callAs(cookie, "GET", "/account")).json.data;
    expect(account).toMatchObject({ role: "owner", business_id: made.json.data.business_id, name: "Ada Lovelace" });
    expect((await callAs(cookie, "GET", "/settings")).json.data).toMatchObject({
      name: "Blue Bottle Books",
      currency: "CHF",
      timezone: "Europe/Zurich",
    });
    expect((await post("/registrations", shop(email))).json.errors.email?.[0]).toContain("already");
  });

  it("asks for no confirmation without a mail server, and the operator's command confirms the address", async () => {
    const email = someone();
    await post("/registrations", shop(email));
    const cookie = (await signIn({ email, password })) ?? "";
    const verified = async () => (await callAs(cookie, "GET", "/account")).json.data.email_verified;
    expect(await verified()).toBe(false);
    const invited = await callAs(cookie, "POST", "/team/invitations", { email: someone(), role: "viewer" });
    expect(invited.status).toBe(200);
    expect(await db.email.count({ where: { to: email } })).toBe(0);
    const reset = await command("reset-password", ["--email", email]);
    expect(reset.stderr).toContain("run verify-email first");
    expect((await command("verify-email", ["--email", email.toUpperCase()])).stdout).toBe(`${email} is confirmed.\n`);
    expect((await command("verify-email", ["--email", email])).stdout).toContain("already");
    expect(await verified()).toBe(true);
  });

  it("is not needed for the owner whom the operator's command creates: the printed link sets the password", async () => {
    const email = someone();
    const named = ["--email", email.toUpperCase(), "--name", "Ada Lovelace", "--business", "Blue Bottle Books"];
    const given = [...named, "--currency", "CHF", "--timezone", "Europe/Zurich"];
    const closed = { env: { REGISTRATION: "closed" } };
    const { code, stdout, stderr } = await command("owner", given, closed);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${email} sets a password here`)]);
    const [, token] = /^\S+\/reset\/(\S+)\n$/.exec(stdout) ?? [];
    expect(await signIn({ email, password })).toBeNull();
    const set = await post("/password-resets", { token, password }, someAddress(), "PUT");
    expect(set.status, set.text).toBe(200);
    const cookie = (await signIn({ email, password })) ?? "";
    const account = (await callAs(cookie, "GET", "/account")).json.data;
    expect(account).toMatchObject({ role: "owner", name: "Ada Lovelace", email_verified: true });
    const shown = (await callAs(cookie, "GET", "/settings")).json.data;
    expect(shown).toMatchObject({ name: "Blue Bottle Books", currency: "CHF", timezone: "Europe/Zurich" });
    const businesses = () =>
      db.business.count({ where: { name: "Blue Bottle Books", memberships: { some: { user: { email } } } } });
    expect(await command("owner", given, closed)).toMatchObject({
      ...{ code: 1, stdout: "", stderr: expect.stringContaining("has an account already") },
    });
    expect(await businesses()).toBe(1);
    const wrong = await command("owner", [...named, "--currency", "XXX", "--timezone", "Mars"], closed);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^--currency: .*\n--timezone: /)]);
    expect((await command("owner", ["--email", email], closed)).code).toBe(2);
    // Node knows AET, PostgreSQL does not.
    const unknown = ["--email", someone(), "--name", "Ada", "--business", "Books", "--timezone", "AET"];
    const refused = await command("owner", unknown, closed);
    expect([refused.code, refused.stderr]).toEqual([1, "The selected timezone is invalid.\n"]);
  });

  it("reports all errors at once", async () => {
    const fields = ["business_name", "currency", "timezone", "name", "email", "password"];
    const empty = await post("/registrations", {});
    expect(empty.json.errors).toEqual(
      Object.fromEntries(fields.map((field) => [field, [`The ${field} field is required.`]])),
    );
    const bad = await post("/registrations", { ...shop("x"), currency: "XXX", timezone: "Mars", password: "short" });
    expect(bad.json.errors).toEqual({
      currency: ["The selected currency is invalid."],
      timezone: ["The selected timezone is invalid."],
      email: ["The email must be a valid email address."],
      password: ["The password must be at least 12 characters."],
    });
    const weak = await post("/registrations", { ...shop(someone()), password: "BlueBottleBooks1" });
    expect(weak.json.errors.password?.[0]).toContain("too easy to guess");
  });

  it("is open only to our own pages, and limited per address", async () => {
    const foreign = await call("POST", "/registrations", {
      body: shop(someone()),
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    const address = someAddress();
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await post("/registrations", shop(someone()), address)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });

  it("counts each password before it rates it", async () => {
    const address = someAddress();
    const weak = { ...shop(someone()), password: "BlueBottleBooks1" };
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) statuses.push((await post("/registrations", weak, address)).status);
    expect(statuses).toEqual([...Array(60).fill(422), 429]);
  });

  // tests/unit/env.test.ts: without the setting it is closed for an https address.
  it("is closed or open by the operator's setting", async () => {
    const { DATABASE_URL, APP_SECRET } = process.env;
    for (const [settings, status] of [
      [{ REGISTRATION: "closed" }, 403],
      [{ APP_URL: "https://pay.example", REGISTRATION: "open" }, 200],
    ] as const) {
      const port = await freePort();
      const server = await launch({ DATABASE_URL, APP_SECRET, PORT: String(port), ...settings }, paydeskWeb);
      try {
        const origin = "APP_URL" in settings ? settings.APP_URL : server.url;
        const reply = await fetch(`${server.url}/api/registrations`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Origin: origin },
          body: JSON.stringify(shop(someone())),
        });
        expect([settings, reply.status]).toEqual([settings, status]);
        const https = "APP_URL" in settings ? "max-age=31536000" : null; // without subdomains, unless HSTS_SUBDOMAINS is set
        expect(reply.headers.get("strict-transport-security")).toBe(https);
        if (!("APP_URL" in settings)) {
          // Nor can a signed-in person create another business.
          const { cookie } = await signedIn(await createMerchant());
          const another = await fetch(`${server.url}/api/account/businesses`, {
            method: "POST",
            headers: { "Content-Type": "application/json", Origin: origin, Cookie: cookie },
            body: JSON.stringify({ name: "Harbour Books", currency: "EUR", timezone: "UTC" }),
          });
          expect([another.status, await another.json()]).toMatchObject([403, { code: "registration_closed" }]);
        }
      } finally {
        await server.stop();
      }
    }
  });
});

async function resetOf(email: string): Promise<string | null> {
  const mails = await db.email.findMany({ where: { to: email }, orderBy: { created_at: "desc" } });
  const [mail] = mails;
  if (!mail) return null;
  expect(mail.template).toBe("password_reset");
  expect(JSON.stringify(mail)).not.toContain("/reset/");
  // The mail's own URL is stored nowhere (tests/servers/mail-smtp.test.ts reads it from the wire), so create another.
  const { id } = await db.user.findUniqueOrThrow({ where: { email } });
  return (await createPasswordReset(db, id)).url.split("/").at(-1) ?? null;
}

describe("a forgotten password", () => {
  it("gives every e-mail the same answer, and mails only an existing user", async () => {
    const staff = await createStaff(await createMerchant());
    const requests = [staff.email, someone()].map((email) => post("/password-resets", { email }));
    const replies = await Promise.all(requests);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(Object.keys(replies[0]?.json.data ?? {})).toEqual(Object.keys(replies[1]?.json.data ?? {}));
    await expect.poll(() => resetOf(staff.email)).toBeTruthy();
    for (let i = 0; i < 5; i++) await post("/password-resets", { email: staff.email });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await db.email.count({ where: { to: staff.email } })).toBe(3);
    const address = someAddress();
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await post("/password-resets", { email: someone() }, address)).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it("can be replaced once within an hour, and ends every session", async () => {
    const staff = await signedIn(await createMerchant());
    const reset = (token: string | null, secret = password) =>
      post("/password-resets", { token, password: secret }, someAddress(), "PUT");
    await post("/password-resets", { email: staff.email });
    await expect.poll(() => resetOf(staff.email)).toBeTruthy();
    const token = (await resetOf(staff.email)) ?? "";
    const [row] = await db.$queryRaw<{ all: string }[]>`
      SELECT to_jsonb(r)::text AS all FROM password_reset r WHERE user_id = ${staff.userId}`;
    expect(row?.all).not.toContain(token);
    expect((await reset(token, "123456789012")).json.errors).toHaveProperty("password");
    expect((await callAs(staff.cookie, "GET", "/account")).status).toBe(200);
    const both = await Promise.all([reset(token), reset(token, "another fine password")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await callAs(staff.cookie, "GET", "/account")).status).toBe(401);
    expect(await signIn(staff)).toBeNull();
    expect((await reset(token)).json.errors).toHaveProperty("token");
    await db.passwordReset.deleteMany({ where: { user_id: staff.userId } });
    await post("/password-resets", { email: staff.email });
    await expect.poll(() => db.passwordReset.count({ where: { user_id: staff.userId } })).toBe(1);
    const late = await resetOf(staff.email);
    await db.passwordReset.updateMany({ where: { user_id: staff.userId }, data: { expires_at: new Date() } });
    expect((await reset(late)).json.errors).toHaveProperty("token");
  });

  it("loses against a concurrent password change, without delaying it", async () => {
    const staff = await createStaff(await createMerchant());
    const token = (await createPasswordReset(db, staff.userId)).url.split("/").at(-1);
    const { reset } = await db.$transaction(async (tx) => {
      await tx.user.update({ where: { id: staff.userId }, data: { name: "Changed" } });
      const reset = post("/password-resets", { token, password }, someAddress(), "PUT");
      await sleep(500);
      await tx.passwordReset.deleteMany({ where: { user_id: staff.userId } });
      return { reset };
    });
    expect((await reset).json.errors).toHaveProperty("token");
    expect(await signIn(staff)).not.toBeNull();
  });

  it("can be replaced with the operator's command, which can also turn two-factor sign-in off", async () => {
    const staff = await signedIn(await createMerchant());
    await db.user.update({
      where: { id: staff.userId },
      data: { two_factor_secret: "v1.x", two_factor_at: new Date() },
    });
    const run = (...args: string[]) => command("reset-password", args);
    const { stdout, stderr } = await run("--email", staff.email.toUpperCase(), "--without-two-factor");
    expect(stderr).toBe("Two-factor sign-in is off, and the passkeys are removed.\n"); // the address is confirmed
    const token = stdout.trim().split("/").at(-1);
    expect(stdout.trim()).toMatch(/^http:\/\/localhost:\d+\/reset\/[\w-]{43}$/);
    expect((await post("/password-resets", { token, password }, someAddress(), "PUT")).status).toBe(200);
    expect((await attemptSignIn({ email: staff.email, password })).cookie).not.toBeNull();
    const unknown = await run("--email", someone());
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/No user has the e-mail/)]);
  });
});
