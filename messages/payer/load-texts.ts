import type { PayerLanguage } from "@/lib/core/payer-languages";
import type { PageTexts } from "./en/pages";
import type { PayerTexts } from "./texts";

const pages: Record<PayerLanguage, () => Promise<{ default: PageTexts }>> = {
  en: () => import("./en/pages"),
  de: () => import("./de/pages"),
  fr: () => import("./fr/pages"),
  es: () => import("./es/pages"),
};

/** Loads the texts of payers' pages for the dashboard's preview. Each language is a script of its own, because few staff need it. */
export const loadPayerTexts = async (language: PayerLanguage): Promise<PayerTexts> => ({
  ...(await pages[language]()).default,
  language,
});
