import { describe, expect, it } from "vitest";
import { pageLanguages, payerLanguages } from "@/lib/core/payer-languages";
import { matchLanguage } from "@/messages/languages";
import { loadPayerTexts } from "@/messages/payer/load-texts";
import { payerMailTexts } from "@/messages/payer/mail-texts";
import { payerTexts } from "@/messages/payer/texts";
import { textsIn } from "@/tests/support/payer-texts";

const english = new Map(textsIn(payerMailTexts.en));
const others = payerLanguages.filter((language) => language !== "en");
const argumentsIn = (text: string) => [...new Set(text.match(/«\d»/g))].sort();

/** The same words as in English, or the same for every language. */
const alike: Record<(typeof others)[number], string[]> = {
  de: ["fields.optional", "mails.frame.testSubject", "mails.frame.labelled"],
  fr: ["facts.date", "receipt.date", "limited.minutes", "mails.frame.testSubject"],
  es: ["methods.cheque", "mails.frame.labelled"],
};

describe.each(others)("the texts in %s", (language) => {
  const texts = textsIn(payerMailTexts[language]);

  it("have the keys and arguments of English", () => {
    expect(texts.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of texts) expect(argumentsIn(text), key).toEqual(argumentsIn(english.get(key) ?? ""));
  });

  it("are translated", () => {
    expect(texts.filter(([key, text]) => text === english.get(key)).map(([key]) => key)).toEqual(alike[language]);
  });

  it("have no stray spaces, and the typography of the language", () => {
    for (const [key, text] of texts) {
      expect(text, key).not.toMatch(/ {2}|['"]|^$/);
      expect(text.trim() === text || key === "mails.frame.orCall", key).toBe(true);
      if (language === "fr") expect(text, key).not.toMatch(/[^\u00a0][:;!?]/);
      if (language === "es") expect(text.includes("?"), key).toBe(text.includes("¿"));
    }
  });
});

it("reach the dashboard's preview as a script of each language", async () => {
  for (const language of payerLanguages) expect(await loadPayerTexts(language)).toEqual(payerTexts[language]);
});

it.each([
  [null, "en"],
  ["*", "en"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["it-IT, FR-ca;q=0.8, de;q=0.5", "fr"],
  ["es", "es"],
  ["en;q=0.1, de;q=0.9", "de"],
  ["de;q=0, fr;q=0.5", "fr"],
  ["de;q=0.0", "en"],
  ["__proto__,constructor", "en"],
  ["en-GB,en-US;q=0.9,en;q=0.8", "en"],
  ["en-us,en;q=0.9", "en-US"],
  ["de, en-US;q=0.5", "de"],
])("a browser that wants %s gets %s", (accepted, language) => {
  expect(matchLanguage(accepted, pageLanguages)).toBe(language);
});
