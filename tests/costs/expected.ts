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
  "GET /notifications": { statements: 2, roundTrips: 2 },
  "GET /payments": { statements: 2, roundTrips: 2 },
  "GET /subscriptions": { statements: 2, roundTrips: 2 },
  "GET /subscriptions/{id}": { statements: 2, roundTrips: 2 },
  "GET /reports/overview": { statements: 6, roundTrips: 6 },
  "POST /payment-links/{id}/charge": { statements: 13, roundTrips: 15 },
  "the first GET /pay of a link": { statements: 2, roundTrips: 2 },
  "GET /pay again within a minute": { statements: 1, roundTrips: 1 },
  "POST /pay": { statements: 7, roundTrips: 9 },
  "a subscription's period opened and charged": { statements: 9, roundTrips: 11 },
  "a webhook delivered": { statements: 2, roundTrips: 2 },
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
  "/": 91_313,
  "/payment-links": 212_970,
  "/subscriptions/[id]": 71_630,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 340_155,
  "/account": 310_342,
  "/customers": 313_843,
  "/customers/[email]": 347_126,
  "/developers/events": 326_338,
  "/developers/events/[id]": 316_955,
  "/developers/keys": 312_389,
  "/developers/keys/[id]": 296_367,
  "/developers/reference": 329_737,
  "/developers/requests": 308_683,
  "/developers/requests/[id]": 292_398,
  "/developers/webhooks": 336_797,
  "/developers/webhooks/[id]": 337_387,
  "/disputes": 319_467,
  "/disputes/[id]": 313_948,
  "/emails": 314_268,
  "/emails/[id]": 299_159,
  "/exports": 291_771,
  "/packages": 313_219,
  "/packages/[id]": 327_557,
  "/payment-links": 340_474,
  "/payment-links/[id]": 347_362,
  "/payment-links/import": 302_785,
  "/payments": 324_789,
  "/payments/[id]": 326_253,
  "/payouts": 315_295,
  "/payouts/[id]": 312_714,
  "/refunds": 325_580,
  "/settings": 319_677,
  "/settings/audit-log": 309_918,
  "/subscriptions": 325_919,
  "/subscriptions/[id]": 337_459,
  "/team": 297_501,
  "/tokenizations": 319_630,
  "/tokenizations/[id]": 337_836,
};
