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
  "/": 85_477,
  "/payment-links": 203_613,
  "/subscriptions/[id]": 69_380,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 325_139,
  "/account": 300_087,
  "/customers": 302_179,
  "/customers/[email]": 328_313,
  "/developers/events": 313_415,
  "/developers/events/[id]": 304_265,
  "/developers/keys": 304_337,
  "/developers/keys/[id]": 288_689,
  "/developers/reference": 315_275,
  "/developers/requests": 301_072,
  "/developers/requests/[id]": 284_922,
  "/developers/webhooks": 324_109,
  "/developers/webhooks/[id]": 322_175,
  "/disputes": 307_452,
  "/disputes/[id]": 303_182,
  "/emails": 305_650,
  "/emails/[id]": 290_425,
  "/exports": 284_100,
  "/packages": 304_417,
  "/packages/[id]": 314_737,
  "/payment-links": 327_640,
  "/payment-links/[id]": 335_302,
  "/payment-links/import": 293_858,
  "/payments": 313_086,
  "/payments/[id]": 313_573,
  "/payouts": 307_680,
  "/payouts/[id]": 303_194,
  "/refunds": 312_997,
  "/settings": 308_876,
  "/settings/audit-log": 301_557,
  "/subscriptions": 312_297,
  "/subscriptions/[id]": 324_437,
  "/team": 290_076,
  "/tokenizations": 307_474,
  "/tokenizations/[id]": 325_244,
};
