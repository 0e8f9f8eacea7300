import type { PayerLanguage } from "@/lib/core/payer-languages";
import de from "./de/mails";
import en, { type MailTexts } from "./en/mails";
import es from "./es/mails";
import fr from "./fr/mails";
import { type PayerTexts, payerTexts } from "./texts";

export interface PayerMailTexts extends PayerTexts {
  mails: MailTexts;
}

/** The texts of mails to payers, by language. They include the texts of the pages, of which mails use some. */
export const payerMailTexts: Record<PayerLanguage, PayerMailTexts> = {
  en: { ...payerTexts.en, mails: en },
  de: { ...payerTexts.de, mails: de },
  fr: { ...payerTexts.fr, mails: fr },
  es: { ...payerTexts.es, mails: es },
};
