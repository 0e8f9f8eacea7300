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
  "/": 310_596,
  "/account": 291_578,
  "/customers": 285_748,
  "/customers/[email]": 312_606,
  "/developers/events": 296_680,
  "/developers/events/[id]": 294_245,
  "/developers/keys": 289_096,
  "/developers/keys/[id]": 280_312,
  "/developers/reference": 303_625,
  "/developers/requests": 285_441,
  "/developers/requests/[id]": 276_614,
  "/developers/webhooks": 302_838,
  "/developers/webhooks/[id]": 307_015,
  "/disputes": 290_141,
  "/disputes/[id]": 286_713,
  "/emails": 289_450,
  "/emails/[id]": 281_135,
  "/exports": 276_159,
  "/packages": 289_001,
  "/packages/[id]": 297_561,
  "/payment-links": 304_140,
  "/payment-links/[id]": 312_696,
  "/payment-links/import": 285_400,
  "/payments": 295_980,
  "/payments/[id]": 291_588,
  "/payouts": 291_365,
  "/payouts/[id]": 289_607,
  "/settings": 301_362,
  "/settings/audit-log": 286_626,
  "/subscriptions": 295_202,
  "/subscriptions/[id]": 305_276,
  "/team": 279_649,
  "/tokenizations": 291_041,
  "/tokenizations/[id]": 306_394,
};
