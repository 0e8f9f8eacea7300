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
  "a subscription's period opened and charged": { statements: 10, roundTrips: 12 },
  "a webhook delivered": { statements: 3, roundTrips: 3 },
  "a mail sent": { statements: 2, roundTrips: 2 },
} satisfies Record<string, { statements: number; roundTrips: number }>;

/** Bytes of a payer's page without compression, and what a browser fetches for it. */
export const payerPages = {
  "the pay form": { bytes: 11_659, requests: 1 },
  "the thank-you page": { bytes: 8_053, requests: 1 },
  "the receipt": { bytes: 9_581, requests: 1 },
} satisfies Record<string, { bytes: number; requests: number }>;

/** No page of the dashboard may load more script than this, in bytes on the wire by gzip. */
export const mostScript = 350_000;

/** HTML of the pages that the benchmark measures by Lighthouse, in bytes without compression, for a computer with 25 rows. */
export const pageHtml: Record<string, number> = {
  "/": 81_128,
  "/payment-links": 190_118,
  "/subscriptions/[id]": 71_803,
};

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * 18 kB of it are the texts of a language.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 287_134,
  "/account": 276_471,
  "/customers": 270_773,
  "/customers/[email]": 292_789,
  "/developers/events": 276_164,
  "/developers/events/[id]": 273_177,
  "/developers/keys": 274_280,
  "/developers/keys/[id]": 265_537,
  "/developers/reference": 280_584,
  "/developers/requests": 270_648,
  "/developers/requests/[id]": 261_893,
  "/developers/webhooks": 281_704,
  "/developers/webhooks/[id]": 285_997,
  "/emails": 273_534,
  "/emails/[id]": 265_357,
  "/packages": 274_056,
  "/packages/[id]": 280_955,
  "/payment-links": 285_248,
  "/payment-links/[id]": 292_663,
  "/payment-links/import": 270_356,
  "/payments": 277_029,
  "/payments/[id]": 269_431,
  "/settings": 284_080,
  "/settings/audit-log": 271_750,
  "/subscriptions": 279_400,
  "/subscriptions/[id]": 287_791,
  "/team": 264_880,
  "/tokenizations": 274_803,
  "/tokenizations/[id]": 287_185,
};
