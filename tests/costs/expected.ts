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
  "/": 101_800,
  "/payment-links": 232_600,
  "/subscriptions/[id]": 76_000,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * Some 20 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 263_900,
  "/account": 253_231,
  "/customers": 253_800,
  "/customers/[email]": 277_500,
  "/developers/events": 254_899,
  "/developers/events/[id]": 242_919,
  "/developers/keys": 253_964,
  "/developers/keys/[id]": 236_828,
  "/developers/reference": 236_247,
  "/developers/requests": 251_553,
  "/developers/requests/[id]": 234_637,
  "/developers/webhooks": 260_112,
  "/developers/webhooks/[id]": 261_171,
  "/disputes": 254_754,
  "/disputes/[id]": 247_198,
  "/emails": 252_175,
  "/emails/[id]": 236_132,
  "/exports": 234_611,
  "/packages": 253_906,
  "/packages/[id]": 266_100,
  "/payment-links": 265_146,
  "/payment-links/[id]": 269_754,
  "/payment-links/import": 243_972,
  "/payments": 263_900,
  "/payments/[id]": 255_957,
  "/payouts": 255_623,
  "/payouts/[id]": 253_687,
  "/refunds": 256_417,
  "/settings": 265_743,
  "/settings/audit-log": 252_527,
  "/subscriptions": 267_600,
  "/subscriptions/[id]": 262_670,
  "/team": 236_675,
  "/tokenizations": 256_539,
  "/tokenizations/[id]": 271_900,
};
