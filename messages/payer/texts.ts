import type { PageLanguage } from "@/lib/core/payer-languages";
import de from "./de/pages";
import en, { type PageTexts } from "./en/pages";
import es from "./es/pages";
import fr from "./fr/pages";

export interface PayerTexts extends PageTexts {
  /** Also the language in which dates and amounts are formatted. */
  language: PageLanguage;
}

/**
 * The texts of payers' pages, by language. Texts with values are functions, not ICU messages: payers' pages are rendered for each
 * visit, and a message would have to be parsed each time.
 */
export const payerTexts: Record<PageLanguage, PayerTexts> = {
  en: { ...en, language: "en" },
  "en-US": { ...en, language: "en-US" },
  de: { ...de, language: "de" },
  fr: { ...fr, language: "fr" },
  es: { ...es, language: "es" },
};
