/**
 * The languages of payers' pages and mails (`language` of a payment link). The texts of each are in messages/payer. Each is also
 * the BCP 47 tag with which amounts are formatted, and dates but for English (see `dateFormat` in components/payer/words.ts).
 */
export const payerLanguages = ["en", "de", "fr", "es"] as const;

export type PayerLanguage = (typeof payerLanguages)[number];

/** Of a page that follows the browser. "en-US" is English with American dates. */
export const pageLanguages = [...payerLanguages, "en-US"] as const;

export type PageLanguage = (typeof pageLanguages)[number];
