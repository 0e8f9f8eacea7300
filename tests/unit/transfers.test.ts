import fc from "fast-check";
import { extractIBAN, getCountrySpecifications, isValidBIC, isValidIBAN } from "ibantools";
import { describe, expect, it } from "vitest";
import { compactIban, groupedIban, isBic, isIban } from "@/lib/core/iban";
import { newId } from "@/lib/core/id";
import { idStartOf, transferReference } from "@/lib/core/transfer-reference";
import { epcPayload, qrCodeOf } from "@/lib/payer/epc";

const registered = Object.entries(getCountrySpecifications()).filter(([, spec]) => spec.IBANRegistry);

/** Check digits that make an IBAN of a country and an account number valid. */
function withCheckDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${account}`;
}

const iban = fc
  .constantFrom(...registered.map(([country, { chars }]) => ({ country, length: chars ?? 0 })))
  .chain(({ country, length }) =>
    fc.stringMatching(new RegExp(`^[A-Z0-9]{${length - 4}}$`)).map((account) => withCheckDigits(country, account)),
  );

describe("an IBAN", () => {
  it("of every registered country is accepted with right check digits, however it is written", () => {
    fc.assert(
      fc.property(iban, (valid) => {
        expect(isIban(valid)).toBe(true);
        expect(isIban(compactIban(groupedIban(valid).toLowerCase()))).toBe(true);
      }),
    );
  });

  it("with a changed digit or letter, or another length, is refused", () => {
    fc.assert(
      fc.property(iban, fc.nat(), fc.constantFrom(..."ABCXYZ0123789"), (valid, at, other) => {
        // A digit in place of a letter is no single change for the check digits.
        const place = 4 + (at % (valid.length - 4));
        const same = /\d/.test(other) === /\d/.test(valid[place] ?? "") && other !== valid[place];
        if (same) expect(isIban(valid.slice(0, place) + other + valid.slice(place + 1))).toBe(false);
        expect(isIban(`${valid}0`)).toBe(false);
        expect(isIban(valid.slice(0, -1))).toBe(false);
      }),
    );
  });

  it.each([
    "DE89370400440532013000",
    "GB29NWBK60161331926819",
    "FR1420041010050500013M02606",
    "NO9386011117947",
    "MT84MALT011000012345MTLCAST001S",
    "CH9300762011623852957",
    "NL91ABNA0417164300",
    "SE4550000000058398257466",
  ])("%s is one for us and for ibantools", (example) => {
    expect([isIban(example), isValidIBAN(example)]).toEqual([true, true]);
    expect(isIban(example.replace(/.$/, (last) => String((Number.parseInt(last, 36) + 1) % 10)))).toBe(false);
  });

  it("is never accepted where ibantools knows another length or no country", () => {
    for (const country of ["AA", "US", "ZZ"]) expect(isIban(withCheckDigits(country, "12345678901234"))).toBe(false);
    const lengths = registered.map(([country, { chars }]) => [country, chars]);
    expect(
      lengths.filter(([country, chars]) => !isIban(withCheckDigits(String(country), "1".repeat(Number(chars) - 4)))),
    ).toEqual([]);
    expect(extractIBAN("DE89 3704 0044 0532 0130 00").iban).toBe(compactIban("DE89 3704 0044 0532 0130 00"));
  });

  it("has a BIC of eight or eleven characters", () => {
    for (const bic of ["COBADEFF", "COBADEFFXXX", "DEUTDEFF500"])
      expect([isBic(bic), isValidBIC(bic)]).toEqual([true, true]);
    for (const bic of ["COBADEF", "COBADEFFXX", "1OBADEFF", "COBA DEFF"]) expect(isBic(bic)).toBe(false);
  });
});

const transfer = fc.record({
  holder: fc.string({ unit: "grapheme", minLength: 1, maxLength: 70 }),
  iban: iban,
  bic: fc.constantFrom(null, "COBADEFFXXX"),
  amountCents: fc.integer({ min: 500, max: 3_000_000 }),
  reference: fc.constant(0).map(() => transferReference(newId("pl"))),
});

describe("the EPC QR code", () => {
  it("has the lines, limits and amounts of EPC069-12, whatever the holder's name", () => {
    fc.assert(
      fc.property(transfer, (given) => {
        const payload = epcPayload(given);
        expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(331);
        const lines = payload.split("\n");
        expect(lines).toHaveLength(11);
        const [service, version, charset, identification, bic, name, account, amount, purpose, structured, text] =
          lines;
        expect([service, version, charset, identification]).toEqual(["BCD", "002", "1", "SCT"]);
        expect(bic).toBe(given.bic ?? "");
        expect([...(name ?? "")].length).toBeLessThanOrEqual(70);
        expect(account).toBe(given.iban);
        expect(amount).toMatch(/^EUR\d{1,9}\.\d{2}$/);
        expect(Math.round(Number(amount?.slice(3)) * 100)).toBe(given.amountCents);
        expect([purpose, structured]).toEqual(["", ""]);
        expect(text?.length).toBeLessThanOrEqual(140);
      }),
    );
  });

  it("writes a transfer as in the standard's example", () => {
    const bank = { holder: "Red Cross of Belgium", iban: "BE72000000001616", bic: "BPOTBEB1" };
    expect(epcPayload({ ...bank, amountCents: 1234, reference: "PL01-K8M3-V7Q2-R5T9" })).toBe(
      "BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR12.34\n\n\nPL01-K8M3-V7Q2-R5T9",
    );
  });

  it("is drawn with few bytes, and at most as version 13", async () => {
    const bank = { holder: "Ä".repeat(70), iban: "MT84MALT011000012345MTLCAST001S", bic: "COBADEFFXXX" };
    const { size, path } = await qrCodeOf(
      epcPayload({ ...bank, amountCents: 3_000_000, reference: "PL01-K8M3-V7Q2-R5T9" }),
    );
    expect(size).toBeLessThanOrEqual(69 + 8);
    expect(path.length).toBeLessThan(12_000);
    expect(path).toMatch(/^(M\d+ \d+h\d+)+$/);
  });
});

describe("the reference of a transfer", () => {
  it("leads back to the beginning of the link's id, however it is written", () => {
    for (let i = 0; i < 1_000; i++) {
      const id = newId("pl");
      const reference = transferReference(id);
      expect(reference).toMatch(/^PL\w\w(-\w{4}){3}$/);
      const written = [reference, reference.toLowerCase(), reference.replace(/-/g, ""), reference.replace(/-/g, " ")];
      for (const text of [...written, reference.replace(/0/g, "O").replace(/1/g, "I")])
        expect(idStartOf(text)).toBe(id.slice(0, 17));
    }
  });

  it("is nothing else", () => {
    for (const text of [
      "",
      "Order 1001",
      "PL01-K8M3",
      "PL01-K8M3-V7Q2-R5T9-X",
      "plants",
      "Plant pot delivery",
      "PL-20261130-000123",
      "pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
    ])
      expect(idStartOf(text), text).toBeNull();
  });
});
