/**
 * What each hot path costs at the database. `statements` are without BEGIN, COMMIT and ROLLBACK; `roundTrips` count those
 * too, one each. All in test mode: live mode also reads and counts attempts (lib/ledger/attempt-limit.ts). What the built-in sandbox does counts as well: it lives in the same process and database.
 *
 * A change that makes a path cheaper lowers its figures here. A change that makes one dearer needs a reason in its commit.
 */
export const databaseCosts = {
  "GET /payment-links/{id}": { statements: 2, roundTrips: 2 },
  "GET /payment-links/{id} with the session's cookie": { statements: 5, roundTrips: 5 },
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
  "the pay form": { bytes: 12_100, requests: 1 },
  "the thank-you page": { bytes: 8_053, requests: 1 },
  "the receipt": { bytes: 9_581, requests: 1 },
} satisfies Record<string, { bytes: number; requests: number }>;

/** No page of the dashboard may load more script than this, in bytes on the wire by gzip. */
export const mostScript = 350_000;

/** HTML of the pages that the benchmark measures by Lighthouse, in bytes without compression, for a computer with 25 rows. */
export const pageHtml: Record<string, number> = {
  "/": 85_811,
  "/payment-links": 192_381,
  "/subscriptions/[id]": 74_134,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * 18 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 294_021,
  "/account": 280_378,
  "/customers": 274_786,
  "/customers/[email]": 298_582,
  "/developers/events": 281_922,
  "/developers/events/[id]": 279_456,
  "/developers/keys": 278_235,
  "/developers/keys/[id]": 269_453,
  "/developers/reference": 286_737,
  "/developers/requests": 274_603,
  "/developers/requests/[id]": 265_800,
  "/developers/webhooks": 288_042,
  "/developers/webhooks/[id]": 292_185,
  "/disputes": 279_364,
  "/disputes/[id]": 275_747,
  "/emails": 278_158,
  "/emails/[id]": 269_964,
  "/packages": 278_011,
  "/packages/[id]": 285_754,
  "/payment-links": 290_501,
  "/payment-links/[id]": 298_098,
  "/payment-links/import": 274_263,
  "/payments": 282_429,
  "/payments/[id]": 275_005,
  "/settings": 288_149,
  "/settings/audit-log": 275_717,
  "/subscriptions": 283_712,
  "/subscriptions/[id]": 292_602,
  "/team": 268_787,
  "/tokenizations": 279_943,
  "/tokenizations/[id]": 293_042,
};
