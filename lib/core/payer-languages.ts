/**
 * The languages in which payers read pages and mails (`language` of a payment link), each with its texts in messages/payer. They are
 * also the tags that format dates and amounts (BCP 47).
 */
export const payerLanguages = ["en", "de", "fr", "es"] as const;

export type PayerLanguage = (typeof payerLanguages)[number];
