import { beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { endSession, findSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { db } from "@/lib/db";
import { newId } from "@/lib/id";

const password = "correct horse battery staple";
const octet = () => Math.floor(Math.random() * 254) + 1;
const someAddress = () => `10.${octet()}.${octet()}.${octet()}`;

let email: string;
beforeEach(async () => {
  const id = newId("usr");
  email = `${id}@example.com`;
  const business = await db.business.create({ data: { name: "Blue Bottle Books" } });
  await db.user.create({ data: { id, email, name: "Ada", password_hash: await hashPassword(password) } });
  await db.membership.create({ data: { business_id: business.id, user_id: id, role: "owner" } });
});

const from = async (address: string, given = "wrong", account = email) =>
  (await signIn({ email: account, password: given, address })).outcome;

const count = (outcomes: string[], outcome: string) => outcomes.filter((one) => one === outcome).length;

describe("signing in", () => {
  test("starts a session that ends at once when it is ended", async () => {
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

  test("one address has five tries at an account, also when they come at once", async () => {
    const address = someAddress();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => from(address)));
    expect(count(outcomes, "wrong")).toBe(5);
    expect(count(outcomes, "limited")).toBe(7);
    const result = await signIn({ email, password, address });
    if (result.outcome !== "limited") throw new Error(result.outcome);
    const minutes = (result.retryAt.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThanOrEqual(15);
  });

  test("all strangers together have ten tries at an account", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => from(someAddress())));
    expect(count(outcomes, "wrong")).toBe(10);
    expect(count(outcomes, "limited")).toBe(30);
  });

  test("strangers do not lock out whoever has signed in from an address before", async () => {
    const home = someAddress();
    expect(await from(home, password)).toBe("signed_in");
    await Promise.all(Array.from({ length: 20 }, () => from(someAddress())));
    expect(await from(someAddress(), password)).toBe("limited");
    expect(await from(home)).toBe("wrong");
    expect(await from(home, password)).toBe("signed_in");
  });

  test("what succeeds uses nothing up, and what an address may guess has an end", async () => {
    const home = someAddress();
    for (let i = 0; i < 12; i++) expect(await from(home, password)).toBe("signed_in");
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => from(home)));
    expect(count(outcomes, "wrong")).toBe(10);
  });

  test("one address may not go through a list of accounts", async () => {
    const address = someAddress();
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, n) => from(address, "wrong", `${n}.${email}`)));
    expect(count(outcomes, "wrong")).toBe(50);
    expect(count(outcomes, "limited")).toBe(10);
  });
});
