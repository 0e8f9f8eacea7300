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
  "/": 90_520,
  "/payment-links": 212_312,
  "/subscriptions/[id]": 78_369,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * 18 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 316_096,
  "/account": 297_078,
  "/customers": 291_248,
  "/customers/[email]": 318_106,
  "/developers/events": 302_180,
  "/developers/events/[id]": 299_745,
  "/developers/keys": 294_596,
  "/developers/keys/[id]": 285_812,
  "/developers/reference": 309_125,
  "/developers/requests": 290_941,
  "/developers/requests/[id]": 282_114,
  "/developers/webhooks": 308_338,
  "/developers/webhooks/[id]": 312_515,
  "/disputes": 295_641,
  "/disputes/[id]": 292_213,
  "/emails": 294_950,
  "/emails/[id]": 286_635,
  "/exports": 281_659,
  "/packages": 294_501,
  "/packages/[id]": 303_061,
  "/payment-links": 309_640,
  "/payment-links/[id]": 318_196,
  "/payment-links/import": 290_900,
  "/payments": 301_480,
  "/payments/[id]": 297_088,
  "/payouts": 296_865,
  "/payouts/[id]": 295_107,
  "/settings": 306_862,
  "/settings/audit-log": 292_126,
  "/subscriptions": 300_702,
  "/subscriptions/[id]": 310_776,
  "/team": 285_149,
  "/tokenizations": 296_541,
  "/tokenizations/[id]": 311_894,
};
