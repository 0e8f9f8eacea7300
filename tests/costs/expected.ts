/**
 * What each hot path costs at the database. `statements` are without BEGIN, COMMIT and ROLLBACK; `roundTrips` count those
 * too, one each. All in test mode: live mode also reads and counts attempts (lib/ledger/attempt-limit.ts). What the built-in sandbox does counts as well: it lives in the same process and database.
 *
 * A change that makes a path cheaper lowers its figures here. A change that makes one dearer needs a reason in its commit.
 */
export const databaseCosts = {
  "GET /payment-links/{id}": { statements: 2, roundTrips: 2 },
  "GET /payment-links/{id} with the session's cookie": { statements: 2, roundTrips: 2 },
  "GET /payment-links": { statements: 2, roundTrips: 2 },
  "POST /payment-links": { statements: 2, roundTrips: 2 },
  "POST /payment-links with an Idempotency-Key": { statements: 4, roundTrips: 6 },
  "GET /payments": { statements: 2, roundTrips: 2 },
  "GET /subscriptions": { statements: 2, roundTrips: 2 },
  "GET /subscriptions/{id}": { statements: 2, roundTrips: 2 },
  "GET /reports/overview": { statements: 6, roundTrips: 6 },
  "POST /payment-links/{id}/charge": { statements: 13, roundTrips: 15 },
  "the first GET /pay of a link": { statements: 2, roundTrips: 2 },
  "GET /pay again within a minute": { statements: 1, roundTrips: 1 },
  "POST /pay": { statements: 7, roundTrips: 9 },
  "a subscription's period opened and charged": { statements: 9, roundTrips: 11 },
  "a webhook delivered": { statements: 3, roundTrips: 3 },
  "a mail sent": { statements: 2, roundTrips: 2 },
} satisfies Record<string, { statements: number; roundTrips: number }>;

/** Bytes of a payer's page without compression, and what a browser fetches for it. */
export const payerPages = {
  "the pay form": { bytes: 12_388, requests: 1 },
  "the thank-you page": { bytes: 8_341, requests: 1 },
  "the receipt": { bytes: 9_869, requests: 1 },
} satisfies Record<string, { bytes: number; requests: number }>;

/** No page of the dashboard may load more script than this, in bytes on the wire by gzip. */
export const mostScript = 350_000;

/** HTML of the pages that the benchmark measures by Lighthouse, in bytes without compression, for a computer with 25 rows. */
export const pageHtml: Record<string, number> = {
  "/": 90_520,
  "/payment-links": 198_300,
  "/subscriptions/[id]": 78_369,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * 18 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 304_007,
  "/account": 283_681,
  "/customers": 278_238,
  "/customers/[email]": 305_039,
  "/developers/events": 288_242,
  "/developers/events/[id]": 285_768,
  "/developers/keys": 281_573,
  "/developers/keys/[id]": 272_779,
  "/developers/reference": 295_074,
  "/developers/requests": 277_933,
  "/developers/requests/[id]": 269_105,
  "/developers/webhooks": 294_368,
  "/developers/webhooks/[id]": 298_544,
  "/disputes": 283_355,
  "/disputes/[id]": 280_009,
  "/emails": 281_935,
  "/emails/[id]": 273_618,
  "/exports": 272_952,
  "/packages": 281_493,
  "/packages/[id]": 289_697,
  "/payment-links": 296_584,
  "/payment-links/[id]": 305_529,
  "/payment-links/import": 277_891,
  "/payments": 288_604,
  "/payments/[id]": 283_162,
  "/payouts": 289_214,
  "/payouts/[id]": 287_444,
  "/settings": 291_919,
  "/settings/audit-log": 279_093,
  "/subscriptions": 287_404,
  "/subscriptions/[id]": 298_280,
  "/team": 272_098,
  "/tokenizations": 283_612,
  "/tokenizations/[id]": 298_685,
};
