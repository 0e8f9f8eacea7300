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
  "/": 102_700,
  "/payment-links": 236_300,
  "/subscriptions/[id]": 76_500,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 263_900,
  "/account": 256_427,
  "/customers": 258_121,
  "/customers/[email]": 277_500,
  "/developers/events": 258_340,
  "/developers/events/[id]": 246_449,
  "/developers/keys": 257_847,
  "/developers/keys/[id]": 241_170,
  "/developers/reference": 240_375,
  "/developers/requests": 255_820,
  "/developers/requests/[id]": 238_793,
  "/developers/webhooks": 263_409,
  "/developers/webhooks/[id]": 265_678,
  "/disputes": 258_548,
  "/disputes/[id]": 251_270,
  "/emails": 256_444,
  "/emails/[id]": 240_198,
  "/exports": 239_286,
  "/packages": 258_169,
  "/packages/[id]": 266_100,
  "/payment-links": 269_268,
  "/payment-links/[id]": 275_161,
  "/payment-links/import": 248_490,
  "/payments": 263_900,
  "/payments/[id]": 268_100,
  "/payouts": 259_847,
  "/payouts/[id]": 258_208,
  "/refunds": 260_370,
  "/settings": 269_788,
  "/settings/audit-log": 257_135,
  "/subscriptions": 267_600,
  "/subscriptions/[id]": 266_223,
  "/team": 240_461,
  "/tokenizations": 260_226,
  "/tokenizations/[id]": 271_900,
};
