/**
 * The languages of payers' pages and mails (`language` of a payment link). The texts of each are in messages/payer. Each is also
 * the BCP 47 tag with which dates and amounts are formatted.
 */
export const payerLanguages = ["en", "de", "fr", "es"] as const;

export type PayerLanguage = (typeof payerLanguages)[number];
