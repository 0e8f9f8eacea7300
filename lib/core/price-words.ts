import { formatMoney } from "./money";

/** What a payer reads about a subscription, in English. Other languages are in messages/payer. */
export const subscriptionWords = {
  /** After the amount. */
  each: {
    daily: "a day",
    weekly: "a week",
    monthly: "a month",
    quarterly: "a quarter",
    semiannual: "every 6 months",
    yearly: "a year",
  },
  /** Before the package's name. */
  cardFor: "Card for",
  chargedFor: (price: string) => `Charged for your subscription: ${price}.`,
};

export interface SubscriptionTexts {
  language: string;
  subscription: typeof subscriptionWords;
}

export const englishTexts: SubscriptionTexts = { language: "en", subscription: subscriptionWords };

/** "€15.00 a month" */
export const priceEach = (
  price: { amount_cents: number; currency: string; frequency: keyof typeof subscriptionWords.each },
  { language, subscription }: SubscriptionTexts = englishTexts,
): string => `${formatMoney(price.amount_cents, price.currency, language)} ${subscription.each[price.frequency]}`;
