import { afterEach, describe, expect, it, vi } from "vitest";
import { clock } from "@/lib/core/clock";
import type { CardInput } from "@/lib/gateways/gateway";
import { testCards } from "@/lib/gateways/sandbox/cards";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { changeSince, parseCard, parseShown, safeFieldsOf } from "@/lib/payer/card-form";
import { payerTexts } from "@/messages/payer/texts";

const parse = (over: Record<string, string> = {}) =>
  parseCard(
    new URLSearchParams({ number: "4242424242424242", expiry: "12/34", cvc: "123", ...over }),
    refuse,
    payerTexts.en.fields,
  );

const refuse = (card: CardInput) => sandbox("1").cardForm?.refuse(card) ?? null;

afterEach(() => vi.restoreAllMocks());

describe("the card form", () => {
  it.each(["12/34", "12 / 34", "12/2034", " 12-34 ", "1234", "122034", "12 34"])("reads the expiry %j", (expiry) => {
    expect(parse({ expiry })).toMatchObject({ ok: true, card: { expMonth: 12, expYear: 2034 } });
  });

  it.each(["", "13/34", "00/34", "12", "12/3", "ab/cd", "12/34/56", "１２/34"])("refuses the expiry %j", (expiry) => {
    expect(parse({ expiry })).toMatchObject({ ok: false, errors: { expiry: expect.any(String) } });
  });

  it("accepts a card until its month has ended in every time zone", () => {
    vi.spyOn(clock, "now").mockReturnValue(new Date("2030-07-01T11:59:59Z"));
    expect(parse({ expiry: "06/30" }).ok).toBe(true);
    vi.spyOn(clock, "now").mockReturnValue(new Date("2030-07-01T12:00:00Z"));
    expect(parse({ expiry: "06/30" })).toEqual({ ok: false, errors: { expiry: "This card has expired." } });
  });

  it("accepts a number in the usual spellings", () => {
    expect(parse({ number: "4242 4242-4242 4242" })).toMatchObject({ ok: true, card: { number: "4242424242424242" } });
  });

  it.each(["", "4242424242424241", "4242", "42424242424242424242", "card", "0x42"])(
    "refuses the number %j",
    (number) => {
      expect(parse({ number })).toMatchObject({ ok: false, errors: { number: expect.any(String) } });
    },
  );

  it("never repeats the input", () => {
    const typed = { number: "4111111111111112", cvc: "98765", expiry: "77/77" };
    const answer = JSON.stringify(parse(typed));
    for (const value of Object.values(typed)) expect(answer).not.toContain(value);
  });

  it("accepts test cards only in test mode, and says so", () => {
    expect(parse({ number: "4111111111111111" })).toEqual({
      ok: false,
      errors: { number: "Test mode takes test cards only. Choose one from the list." },
    });
  });

  it("requires four digits for American Express", () => {
    const number = "378282246310005";
    expect(parse({ number, cvc: "1234" }).ok).toBe(true);
    expect(parse({ number, cvc: "123" })).toMatchObject({ ok: false, errors: { cvc: expect.stringContaining("4") } });
  });

  it("accepts every documented test card", () => {
    for (const { number, brand } of testCards)
      expect(parse({ number, cvc: brand === "amex" ? "1234" : "123" }).ok).toBe(true);
  });

  it("reads the amount and tax shown to the payer, and nothing else", () => {
    const shown = (amount_cents: string, currency: string, tax = {}) =>
      parseShown(new URLSearchParams({ amount_cents, currency, ...tax }));
    expect(shown("1050", "EUR")).toEqual({ amountCents: 1050, currency: "EUR" });
    expect(shown("1050", "EUR", { tax_basis_points: "" })?.taxBasisPoints).toBeNull();
    expect(shown("1050", "EUR", { tax_basis_points: "0" })?.taxBasisPoints).toBe(0);
    expect(shown("1050", "EUR", { tax_basis_points: "1900" })?.taxBasisPoints).toBe(1900);
    for (const tax_basis_points of ["19.5", "-1", "1e3", "100000"])
      expect(shown("1050", "EUR", { tax_basis_points })).toBeNull();
    for (const amount of ["", "10.5", "-1", "1e3", "0x10", " 1050", "9999999999"])
      expect(shown(amount, "EUR")).toBeNull();
    for (const currency of ["", "eur", "EURO"]) expect(shown("1050", currency)).toBeNull();
  });

  it("compares what was shown with the link: first the amount, then the tax", () => {
    const link = { amount_cents: 1050, currency: "EUR", tax_basis_points: 1900 };
    const shown = { amountCents: 1050, currency: "EUR" };
    expect(changeSince(shown, link)).toBeNull();
    expect(changeSince({ ...shown, taxBasisPoints: 1900 }, link)).toBeNull();
    for (const taxBasisPoints of [null, 0, 700]) expect(changeSince({ ...shown, taxBasisPoints }, link)).toBe("tax");
    expect(changeSince({ ...shown, amountCents: 1051, taxBasisPoints: 700 }, link)).toBe("amount");
    expect(changeSince({ ...shown, currency: "USD" }, link)).toBe("amount");
  });
});

it("gives back what was typed, but nothing that could be a card's number", () => {
  const kept = (holder: string, expiry = "12/34") => safeFieldsOf(new URLSearchParams({ holder, expiry }));
  expect(kept("Ada Lovelace")).toEqual({ holder: "Ada Lovelace", expiry: "12/34" });
  for (const number of ["4242424242424242", "4242 4242 4242 4242", "Ada 4242-4242-4242-4242"])
    expect(kept(number, number)).toEqual({ holder: "", expiry: "" });
});
