import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import type { Tokenization } from "@/lib/generated/prisma/client";
import { saveCardAt } from "@/tests/support/checkout";
import { call } from "@/tests/support/http";
import { visit } from "@/tests/support/payer";
import { cards, makeBusiness, makeTokenization, secrets } from "@/tests/support/payer-rows";
import { create } from "@/tests/support/samples";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let business: number;
beforeAll(async () => {
  business = await makeBusiness();
});

const past = new Date("2020-01-01T00:00:00Z");
const card = { number: cards.good, expiry: "12/40", cvc: "123" };
const save = (token: string, over: Record<string, string> = {}, client?: string) =>
  visit(`/activate/${token}`, { form: { ...card, ...over }, client });

describe("every state of a tokenization has its page", () => {
  it.each<[string, Partial<Tokenization>, number, string]>([
    ["pending", {}, 200, "Save card"],
    ["active", { status: "active" }, 200, "Your card is saved"],
    ["expired", { expires_at: past }, 410, "expired"],
    ["active, and its time over", { status: "active", expires_at: past }, 200, "Your card is saved"],
    ["revoked", { status: "revoked" }, 410, "no longer valid"],
    ["live without a gateway", { livemode: true }, 503, "t save cards here yet"],
  ])("%s", async (_, over, status, words) => {
    const { token } = await makeTokenization(business, over);
    const page = await visit(`/activate/${token}`);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    for (const secret of secrets) expect(page.text).not.toContain(secret);
    if (status !== 200) expect((await save(token)).status).toBe(status);
  });

  it("isolates the merchant's right-to-left texts from our left-to-right ones", async () => {
    const { token } = await makeTokenization(business, { title: "כרטיס, 2 kg", description: "לקנייה, 2 kg" });
    const { text } = await visit(`/activate/${token}`);
    expect([...text.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, words]) => words)).toEqual(["כרטיס, 2 kg", "לקנייה, 2 kg"]);
  });

  it.each(["x", "a".repeat(40), "%00", "..%2f"])("unknown: %s", async (token) => {
    expect((await visit(`/activate/${token}`)).status).toBe(404);
    expect((await save(token)).status).toBe(404);
  });
});

describe("saving a card", () => {
  it("stores the card at the gateway and its displayable details here", async () => {
    const { id, token } = await makeTokenization(business);
    const answer = await save(token);
    expect([answer.status, answer.location]).toEqual([303, `/thank-you?token=${token}`]);
    expect(await db.tokenization.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "active",
      gateway: "sandbox",
      gateway_card: expect.stringMatching(/^sbx_card_/),
      card_brand: "visa",
      card_last4: "4242",
      card_exp_month: 12,
      card_exp_year: 2040,
      activated_at: expect.any(Date),
    });
  });

  it("thanks the payer in the merchant's name, and confirms no card that is not saved", async () => {
    const { token } = await makeTokenization(business);
    expect((await visit(`/thank-you?token=${token}`)).location).toBe(`/activate/${token}`);
    const { name } = await db.business.findUniqueOrThrow({ where: { id: business } });
    const thanks = await visit((await save(token)).location);
    expect(thanks.status).toBe(200);
    expect(thanks.text).toContain("Your card is saved");
    expect(thanks.text).toContain(name);
    expect((await visit("/thank-you?token=a%26b")).status).toBe(404);
  });

  it("redirects the payer to the stored URL", async () => {
    const { token } = await makeTokenization(business, { redirect_url: "https://shop.example/card" });
    const answer = await save(token);
    const page = await visit(answer.location);
    expect(page.headers.get("refresh")).toBe("0; url=https://shop.example/card");
    // A later visit does not redirect.
    expect((await visit(`/activate/${token}`)).headers.has("refresh")).toBe(false);
  });

  it("says why a card is refused, and accepts another one", async () => {
    const { id, token } = await makeTokenization(business);
    const page = await save(token, { number: cards.declined });
    expect(page.status).toBe(402);
    expect(page.text).toContain("Your bank declined the card");
    const failed = await save(token, { number: "4000000000000119" });
    expect([failed.status, failed.text]).toEqual([402, expect.stringContaining("The card could not be checked.")]);
    expect((await save(token, { number: "4111111111111111" })).status).toBe(422);
    expect(await db.tokenization.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "pending",
      card_last4: null,
    });
    expect((await save(token)).status).toBe(303);
  });

  it("keeps the first of two cards when the form is sent again", async () => {
    const { id, token } = await makeTokenization(business);
    const numbers = [cards.good, "5555555555554444", cards.good, "5555555555554444"];
    const answers = await Promise.all(numbers.map((number) => save(token, { number })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const first = await db.tokenization.findUniqueOrThrow({ where: { id } });
    await save(token, { number: first.card_last4 === "4242" ? "5555555555554444" : cards.good });
    expect(await db.tokenization.findUniqueOrThrow({ where: { id } })).toEqual(first);
  });

  it("has no limit on attempts in test mode", async () => {
    const { token } = await makeTokenization(business);
    for (let i = 0; i < 25; i++) expect((await save(token, { number: cards.declined })).status).toBe(402);
    expect((await save(token)).status).toBe(303);
  });
});

describe("what saving a card charges", () => {
  let biller: Biller;
  beforeAll(async () => {
    biller = await createBiller();
  });
  const activation = async (email: string) => {
    const id = await create(biller.key, "tokenizations", { email });
    return String((await biller.get(`/tokenizations/${id}`)).token);
  };
  const words = async (path: string) => (await visit(path)).text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

  it("is said before the button, with period and total, and afterwards", async () => {
    const email = "owing@example.com";
    const id = await biller.subscribe(await biller.createPackage({ frequency: "daily" }), email);
    await biller.billed(id, 1);
    await biller.advance(await biller.later(1));
    await biller.billed(id, 2);
    const token = await activation(email);
    const before = await words(`/activate/${token}`);
    expect(before).toContain("€30.00 will be charged to this card when you save it:");
    expect(before.match(/Reading club, \d+[^€]*€15\.00/g)).toHaveLength(2);
    expect(before).toContain("Save card and pay €30.00");
    expect(before).toMatch(/Next charge: €15\.00 for Reading club on \d+ \w+ \d+\./);
    expect(before).not.toContain("Nothing is charged");
    // What it says is what happens.
    const saved = await saveCardAt(`/activate/${token}`);
    expect(await words(saved.location)).not.toContain("Nothing was charged");
    await expect.poll(async () => (await biller.periods(id)).every(({ status }) => status === "Paid")).toBe(true);
    const after = await words(saved.location);
    expect(after).toContain("These payments were charged to it:");
    expect(after.match(/€15\.00 charged/g)).toHaveLength(2);
  });

  it("is not said to be charged when all of it was declined, also once nothing is owed any more", async () => {
    const email = "declined@example.com";
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    const saved = await saveCardAt(`/activate/${await activation(email)}`, "4000000000000341");
    await expect.poll(() => words(saved.location)).toContain("€15.00 not charged: declined");
    const [period] = await biller.periods(id);
    await call("POST", `/payment-links/${period?._id}/deactivate`, { key: biller.key, body: {} });
    const after = await words(saved.location);
    expect(after).toContain("€15.00 not charged: declined");
    expect(after).toContain("Nothing was charged.");
    expect(after).not.toContain("These payments were charged to it");
  });

  it("is nothing without owed periods, and the next charge is named", async () => {
    const email = "later@example.com";
    await biller.subscribe(await biller.createPackage({ date_charge_start: "2045-12-01" }), email);
    const token = await activation(email);
    const before = await words(`/activate/${token}`);
    expect(before).toContain("Nothing is charged now. Next charge: €15.00 for Reading club on 1 December 2045.");
    expect(before).not.toContain("and pay");
    const saved = await saveCardAt(`/activate/${token}`);
    expect(await words(saved.location)).toContain("Nothing was charged.");
    expect(await words(`/activate/${await activation("stranger@example.com")}`)).toContain("Nothing is charged now. ");
  });

  it("lists five periods of many, and adds up the rest", async () => {
    const email = "many@example.com";
    const id = await biller.subscribe(await biller.createPackage({ frequency: "daily", amount: "1000" }), email);
    await biller.billed(id, 1);
    await biller.advance(await biller.later(6));
    await biller.billed(id, 7);
    const before = await words(`/activate/${await activation(email)}`);
    expect(before).toContain("And2 more periodsIn total€70.00");
  });
});
