import type { PayerLanguage } from "@/lib/core/payer-languages";
import de from "./de/pages";
import en, { type PageTexts } from "./en/pages";
import es from "./es/pages";
import fr from "./fr/pages";

export interface PayerTexts extends PageTexts {
  /** What dates and amounts go by, too. */
  language: PayerLanguage;
}

/**
 * The texts of payers' pages, by language. They are functions and not messages, because payers' pages are rendered on the server for
 * each visit, and a message would be parsed for each.
 */
export const payerTexts: Record<PayerLanguage, PayerTexts> = {
  en: { ...en, language: "en" },
  de: { ...de, language: "de" },
  fr: { ...fr, language: "fr" },
  es: { ...es, language: "es" },
};
