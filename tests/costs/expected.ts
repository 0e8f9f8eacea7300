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
  "GET /reports/problems": { statements: 9, roundTrips: 9 },
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
  "the pay form": { bytes: 12_774, requests: 1 },
  "the thank-you page": { bytes: 8_341, requests: 1 },
  "the receipt": { bytes: 9_869, requests: 1 },
} satisfies Record<string, { bytes: number; requests: number }>;

/** No page of the dashboard may load more script than this, in bytes on the wire by gzip. */
export const mostScript = 280_000;

/** HTML of the pages that the benchmark measures by Lighthouse, in bytes without compression, for a computer with 25 rows. */
export const pageHtml: Record<string, number> = {
  "/": 103_345,
  "/payment-links": 239_339,
  "/subscriptions/[id]": 77_103,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 267_384,
  "/account": 259_483,
  "/customers": 262_480,
  "/customers/[email]": 278_302,
  "/developers/events": 262_572,
  "/developers/events/[id]": 249_531,
  "/developers/keys": 262_143,
  "/developers/keys/[id]": 243_954,
  "/developers/reference": 243_072,
  "/developers/requests": 259_884,
  "/developers/requests/[id]": 241_416,
  "/developers/webhooks": 268_273,
  "/developers/webhooks/[id]": 270_581,
  "/disputes": 263_123,
  "/disputes/[id]": 254_673,
  "/emails": 260_602,
  "/emails/[id]": 242_983,
  "/exports": 242_367,
  "/packages": 262_486,
  "/packages/[id]": 270_007,
  "/payment-links": 273_707,
  "/payment-links/[id]": 275_573,
  "/payment-links/import": 251_577,
  "/payments": 268_453,
  "/payments/[id]": 268_674,
  "/payouts": 264_090,
  "/payouts/[id]": 262_911,
  "/refunds": 264_980,
  "/settings": 274_002,
  "/settings/audit-log": 261_144,
  "/subscriptions": 273_025,
  "/subscriptions/[id]": 271_504,
  "/team": 243_331,
  "/tokenizations": 264_578,
  "/tokenizations/[id]": 275_546,
};
