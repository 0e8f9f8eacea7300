import type { PayerLanguage } from "@/lib/core/payer-languages";
import type { PageTexts } from "./en/pages";
import type { PayerTexts } from "./texts";

const pages: Record<PayerLanguage, () => Promise<{ default: PageTexts }>> = {
  en: () => import("./en/pages"),
  de: () => import("./de/pages"),
  fr: () => import("./fr/pages"),
  es: () => import("./es/pages"),
};

/** The texts of payers' pages for the dashboard's preview: a script of each language, because few people need them. */
export const loadPayerTexts = async (language: PayerLanguage): Promise<PayerTexts> => ({
  ...(await pages[language]()).default,
  language,
});
