import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { allLimits } from "@/lib/auth/limits";
import { hashPassword } from "@/lib/auth/password";
import { endSession, findSession } from "@/lib/auth/session";
import { signIn, signInWithCode } from "@/lib/auth/sign-in";
import { beginTwoFactor, confirmTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { mapConcurrently } from "@/tests/faults/map-concurrently";
import { baseUrl, call } from "@/tests/support/http";
import { callAs, signIn as signInOver } from "@/tests/support/sign-in";

const password = "correct horse battery staple";
const octet = () => Math.floor(Math.random() * 254) + 1;
const someAddress = () => `10.${octet()}.${octet()}.${octet()}`;

let id: string;
let email: string;
beforeEach(async () => {
  id = newId("usr");
  email = `${id}@example.com`;
  const business = await db.business.create({ data: { name: "Blue Bottle Books" } });
  await db.user.create({
    data: { id, email, name: "Ada", email_verified_at: new Date(), password_hash: await hashPassword(password) },
  });
  await db.membership.create({ data: { business_id: business.id, user_id: id, role: "owner" } });
});

const from = async (address: string, given = "wrong", account = email) =>
  (await signIn({ email: account, password: given, address })).outcome;

const count = (outcomes: string[], outcome: string) => outcomes.filter((one) => one === outcome).length;

describe("signing in", () => {
  test("starts a session, which signing out ends at once", async () => {
    const result = await signIn({ email: ` ${email.toUpperCase()} `, password, address: someAddress() });
    if (result.outcome !== "signed_in") throw new Error(result.outcome);
    expect(await findSession(result.sessionId)).toMatchObject({ userEmail: email, role: "owner" });
    await endSession(result.sessionId);
    expect(await findSession(result.sessionId)).toBeNull();
  });

  test("needs the password, the account, and a membership", async () => {
    const address = someAddress();
    expect(await from(address)).toBe("wrong");
    expect(await from(address, "")).toBe("wrong");
    expect(await from(address, password, `${email}\0`)).toBe("wrong");
    expect(await from(address, password, "nobody@example.com")).toBe("wrong");
    expect(await from(address, `${password}\0`)).toBe("wrong");
    await db.membership.deleteMany({ where: { user: { email } } });
    expect(await from(address, password)).toBe("wrong");
  });

  test("one address has five attempts at an account, even simultaneous ones", async () => {
    const address = someAddress();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => from(address)));
    expect(count(outcomes, "wrong")).toBe(5);
    expect(count(outcomes, "limited")).toBe(7);
    const result = await signIn({ email, password, address });
    if (result.outcome !== "limited") throw new Error(result.outcome);
    const minutes = (result.retryAt.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(28);
    expect(minutes).toBeLessThanOrEqual(30);
  });

  test("a password reset ends the lockout for the person's address", async () => {
    const [address, other] = [someAddress(), someAddress()];
    for (let i = 0; i < 6; i++) await from(address);
    for (let i = 0; i < 6; i++) await from(other);
    expect(await from(address, password)).toBe("limited");
    const token = (await createPasswordReset(db, id)).url.split("/").at(-1);
    const next = "another fine password";
    const headers = { Origin: baseUrl(), "X-Forwarded-For": address };
    expect((await call("PUT", "/password-resets", { body: { token, password: next }, headers })).status).toBe(200);
    expect(await from(other, next)).toBe("limited");
    expect(await from(address, next)).toBe("signed_in");
  });

  test("all unknown addresses together have ten attempts at an account", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => from(someAddress())));
    expect(count(outcomes, "wrong")).toBe(10);
    expect(count(outcomes, "limited")).toBe(30);
  });

  test("unknown addresses do not lock out a person at a known address", async () => {
    const home = someAddress();
    expect(await from(home, password)).toBe("signed_in");
    await Promise.all(Array.from({ length: 20 }, () => from(someAddress())));
    expect(await from(someAddress(), password)).toBe("limited");
    expect(await from(home)).toBe("wrong");
    expect(await from(home, password)).toBe("signed_in");
  });

  test("a successful sign-in uses up no attempt, and a known address is limited too", async () => {
    const home = someAddress();
    for (let i = 0; i < 12; i++) expect(await from(home, password)).toBe("signed_in");
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => from(home)));
    expect(count(outcomes, "wrong")).toBe(10);
  });

  test("one address is limited over all accounts", async () => {
    const address = someAddress();
    const outcomes = await mapConcurrently(10, Array.from({ length: 60 }), (_, n) =>
      from(address, "wrong", `${n}.${email}`),
    );
    expect(count(outcomes, "wrong")).toBe(50);
    expect(count(outcomes, "limited")).toBe(10);
  });
});

describe("a refused sign-in", () => {
  afterEach(() => vi.restoreAllMocks());

  test("is logged with its address and reason, never with what was typed", async () => {
    const logged = vi.spyOn(log, "warn");
    const address = someAddress();
    await from(address, "a secret guess");
    await from(address, password, "correct horse battery staple");
    for (let i = 0; i < 5; i++) await from(address);
    await db.membership.deleteMany({ where: { user_id: id } });
    await from(someAddress(), password);
    const lines = logged.mock.calls.map(([fields]) => fields as unknown as Record<string, string>);
    const reasons = ["wrong_password", "unknown_account", ...Array(4).fill("wrong_password")];
    expect(lines.map(({ reason }) => reason)).toEqual([...reasons, "too_many_attempts", "no_business"]);
    expect(new Set(lines.slice(0, 7).map((line) => line.address))).toEqual(new Set([address]));
    expect(lines[0]).toMatchObject({ user: id, account: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(lines[1]?.account).not.toBe(lines[0]?.account);
    for (const typed of ["a secret guess", "correct horse", email]) expect(JSON.stringify(lines)).not.toContain(typed);
  });

  test("is in the audit log of each of the person's businesses", async () => {
    const other = await db.business.create({ data: { name: "Another shop" } });
    await db.membership.create({ data: { business_id: other.id, user_id: id, role: "viewer" } });
    const address = someAddress();
    await from(address);
    const entries = () => db.auditEntry.findMany({ where: { actor_id: id, action: "session.password_refused" } });
    await expect.poll(async () => (await entries()).length).toBe(2);
    for (const entry of await entries()) expect(entry).toMatchObject({ about: email, address, actor_name: email });
  });
});

describe("a sign-in during a password change", () => {
  const next = "another fine password";
  const sessions = () => db.session.count({ where: { user_id: id } });
  afterEach(() => vi.restoreAllMocks());

  /** Pauses the next sign-in between password check and session start, when it gives back its rate limit points. */
  function hold(limit: "pair" | "codePair", meanwhile: () => Promise<unknown>): void {
    const from = allLimits()[limit];
    const reward = from.reward.bind(from);
    vi.spyOn(from, "reward").mockImplementationOnce(async (key) => {
      await meanwhile();
      return reward(key);
    });
  }

  async function reset(): Promise<void> {
    const token = (await createPasswordReset(db, id)).url.split("/").at(-1);
    const headers = { Origin: baseUrl(), "X-Forwarded-For": someAddress() };
    const reply = await call("PUT", "/password-resets", { body: { token, password: next }, headers });
    expect(reply.status, reply.text).toBe(200);
  }
  async function change(): Promise<void> {
    const cookie = (await signInOver({ email, password })) ?? "";
    const body = { current_password: password, password: next };
    expect((await callAs(cookie, "PUT", "/account/password", body)).status).toBe(200);
  }

  test.each([
    ["reset", reset, 0],
    ["changed by a signed-in person, whose session continues", change, 1],
  ])("starts no session: %s", async (_, replace, left) => {
    hold("pair", replace);
    expect(await from(someAddress(), password)).toBe("wrong");
    expect(await sessions()).toBe(left);
    expect(await from(someAddress(), next)).toBe("signed_in");
  });

  test("starts no session after the second step either", async () => {
    const { secret } = await beginTwoFactor(db, { id, email });
    const app = new TOTP({ secret: Secret.fromBase32(secret), period: 30, digits: 6 });
    const codes = await confirmTwoFactor(db, id, app.generate());
    const address = someAddress();
    const first = await signIn({ email, password, address });
    if (first.outcome !== "factor_needed") throw new Error(first.outcome);
    const enter = async (code = "") => (await signInWithCode({ ticket: first.ticket, code, address })).outcome;
    hold("codePair", reset);
    expect(await enter(codes?.[0])).toBe("wrong");
    expect(await enter(codes?.[1])).toBe("wrong");
    expect(await sessions()).toBe(0);
  });

  test("waits for a password change in progress", async () => {
    const password_hash = await hashPassword(next);
    let writing: Promise<unknown> = Promise.resolve();
    hold(
      "pair",
      () =>
        new Promise<void>((written) => {
          writing = db.$transaction(async (tx) => {
            await tx.user.update({ where: { id }, data: { password_hash } });
            await tx.session.deleteMany({ where: { user_id: id } });
            written();
            await sleep(300);
          });
        }),
    );
    // On a slow machine the request times out: no session either.
    await from(someAddress(), password).catch(() => null);
    await writing;
    expect(await sessions()).toBe(0);
  });
});
