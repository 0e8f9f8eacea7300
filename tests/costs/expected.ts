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
  "POST /payment-links": { statements: 2, roundTrips: 2 },
  "POST /payment-links with an Idempotency-Key": { statements: 4, roundTrips: 6 },
  "GET /payments": { statements: 2, roundTrips: 2 },
  "GET /subscriptions": { statements: 2, roundTrips: 2 },
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
  "/": 262_828,
  "/account": 253_658,
  "/customers": 248_009,
  "/customers/[email]": 268_620,
  "/developers/events": 252_840,
  "/developers/events/[id]": 250_375,
  "/developers/keys": 251_861,
  "/developers/keys/[id]": 242_804,
  "/developers/reference": 258_095,
  "/developers/requests": 247_987,
  "/developers/requests/[id]": 239_111,
  "/developers/webhooks": 259_259,
  "/developers/webhooks/[id]": 263_095,
  "/emails": 250_877,
  "/emails/[id]": 242_584,
  "/packages": 251_542,
  "/packages/[id]": 257_929,
  "/payment-links": 262_399,
  "/payment-links/[id]": 269_276,
  "/payment-links/import": 247_963,
  "/payments": 254_094,
  "/payments/[id]": 246_263,
  "/settings": 261_375,
  "/settings/audit-log": 248_898,
  "/subscriptions": 257_039,
  "/subscriptions/[id]": 263_547,
  "/team": 244_798,
  "/tokenizations": 252_216,
  "/tokenizations/[id]": 263_711,
};
