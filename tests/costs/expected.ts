/**
 * What each hot path costs at the database. `statements` are without BEGIN, COMMIT and ROLLBACK; `roundTrips` count those
 * too, one each. What the built-in sandbox does counts as well: it lives in the same process and database.
 *
 * A change that makes a path cheaper lowers its figures here. A change that makes one dearer needs a reason in its commit.
 */
export const databaseCosts = {
  "GET /payment-links/{id}": { statements: 2, roundTrips: 2 },
  "GET /payment-links/{id} with the session's cookie": { statements: 5, roundTrips: 5 },
  "GET /payment-links": { statements: 2, roundTrips: 2 },
  "POST /payment-links": { statements: 3, roundTrips: 5 },
  "GET /payments": { statements: 2, roundTrips: 2 },
  "GET /subscriptions": { statements: 4, roundTrips: 4 },
  "GET /subscriptions/{id}": { statements: 2, roundTrips: 2 },
  "GET /reports/overview": { statements: 6, roundTrips: 6 },
  "POST /payment-links/{id}/charge": { statements: 17, roundTrips: 19 },
  "the first GET /pay of a link": { statements: 2, roundTrips: 2 },
  "GET /pay again within a minute": { statements: 1, roundTrips: 1 },
  "POST /pay": { statements: 13, roundTrips: 15 },
  "a subscription's period opened and charged": { statements: 14, roundTrips: 18 },
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

/**
 * Script that the HTML of each page of the dashboard asks for, in bytes on the wire by gzip, without the one for old browsers.
 * The tests allow 2 % more, for another version of Node or of a tool.
 */
export const pageScripts: Record<string, number> = {
  "/": 267_328,
  "/account": 262_662,
  "/customers": 248_219,
  "/customers/[email]": 273_206,
  "/developers/events": 253_971,
  "/developers/events/[id]": 258_352,
  "/developers/keys": 286_652,
  "/developers/keys/[id]": 286_508,
  "/developers/reference": 266_047,
  "/developers/requests": 247_995,
  "/developers/requests/[id]": 247_314,
  "/developers/webhooks": 257_309,
  "/developers/webhooks/[id]": 262_059,
  "/emails": 249_660,
  "/emails/[id]": 249_785,
  "/packages": 251_123,
  "/packages/[id]": 261_760,
  "/payment-links": 269_355,
  "/payment-links/[id]": 274_110,
  "/payment-links/import": 256_611,
  "/payments": 256_532,
  "/payments/[id]": 253_542,
  "/settings": 270_243,
  "/settings/audit-log": 252_068,
  "/subscriptions": 256_423,
  "/subscriptions/[id]": 264_871,
  "/team": 284_882,
  "/tokenizations": 251_442,
  "/tokenizations/[id]": 265_582,
};
