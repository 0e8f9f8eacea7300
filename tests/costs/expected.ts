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
  "/": 89_627,
  "/payment-links": 208_851,
  "/subscriptions/[id]": 70_854,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 335_611,
  "/account": 307_228,
  "/customers": 309_720,
  "/customers/[email]": 346_114,
  "/developers/events": 322_684,
  "/developers/events/[id]": 313_373,
  "/developers/keys": 310_187,
  "/developers/keys/[id]": 295_129,
  "/developers/reference": 325_186,
  "/developers/requests": 306_509,
  "/developers/requests/[id]": 291_192,
  "/developers/webhooks": 331_241,
  "/developers/webhooks/[id]": 331_786,
  "/disputes": 313_391,
  "/disputes/[id]": 309_036,
  "/emails": 312_008,
  "/emails/[id]": 297_606,
  "/exports": 290_545,
  "/packages": 311_024,
  "/packages/[id]": 321_321,
  "/payment-links": 334_604,
  "/payment-links/[id]": 340_373,
  "/payment-links/import": 301_161,
  "/payments": 319_257,
  "/payments/[id]": 321_428,
  "/payouts": 311_714,
  "/payouts/[id]": 309_321,
  "/refunds": 325_200,
  "/settings": 315_297,
  "/settings/audit-log": 306_829,
  "/subscriptions": 319_176,
  "/subscriptions/[id]": 330_586,
  "/team": 296_347,
  "/tokenizations": 313_864,
  "/tokenizations/[id]": 331_210,
};
