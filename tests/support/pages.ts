import { guides } from "@/components/reference/guides/guides";
import type { Bookshop } from "./bookshop";

export interface ListedPage {
  name: string;
  /** Relative to app/. Some files are listed in several states. */
  file: string;
  path: (shop: Bookshop) => string;
  /** The visitor: a member of the bookshop, of a business without data, or a person without a session. */
  who: "shop" | "empty" | "anonymous";
  /** A text or heading of the complete page. */
  shows: string | RegExp;
  /** The expected status of the document or of its API call. */
  status?: number;
}

/** A dashboard page with the bookshop's rows; with `empty`, also the same page of a business without data. */
const dashboard = (
  name: string,
  file: string,
  path: string | ListedPage["path"],
  shows: ListedPage["shows"],
  empty?: ListedPage["shows"],
): ListedPage[] => {
  const page = { file: `(dashboard)/${file}page.tsx`, path: typeof path === "string" ? () => path : path };
  const full: ListedPage = { ...page, name, who: "shop", shows };
  return empty ? [full, { ...page, name: `${name}-empty`, who: "empty", shows: empty }] : [full];
};

/** The page of a missing row. */
const missing = (name: string, file: string, path: string, shows: string): ListedPage => ({
  name: `${name}-missing`,
  file: `(dashboard)/${file}page.tsx`,
  path: () => path,
  who: "shop",
  shows,
  status: 404,
});

const open = (
  name: string,
  file: string,
  path: string | ListedPage["path"],
  shows: ListedPage["shows"],
  status?: number,
): ListedPage => ({
  name,
  file,
  path: typeof path === "string" ? () => path : path,
  who: "anonymous",
  shows,
  ...(status && { status }),
});

const pay = (name: string, shows: ListedPage["shows"], path: ListedPage["path"], status?: number): ListedPage =>
  open(`pay-${name}`, "(public)/pay/route.ts", path, shows, status);

const activate = (name: keyof Bookshop["tokens"], shows: string, status?: number): ListedPage =>
  open(
    `activate-${name}`,
    "(public)/activate/[token]/route.ts",
    ({ tokens }) => `/activate/${tokens[name]}`,
    shows,
    status,
  );

export const pages: ListedPage[] = [
  ...dashboard("overview", "", "/", "All payments", "Your first payment"),
  ...dashboard("payment-links", "payment-links/", "/payment-links", "ruth.bergman@example.com", "No payment links yet"),
  ...dashboard("payment-links-none", "payment-links/", "/payment-links?q=nothing-like-it", "No results"),
  ...dashboard(
    "payment-link",
    "payment-links/[id]/",
    ({ links }) => `/payment-links/${links.active}`,
    "Payment link for €62.80",
  ),
  ...dashboard(
    "payment-link-paid",
    "payment-links/[id]/",
    ({ links }) => `/payment-links/${links.refunded}`,
    "Refunded: €28.90",
  ),
  ...dashboard("payment-link-import", "payment-links/import/", "/payment-links/import", "CSV file"),
  ...dashboard("payments", "payments/", "/payments", "carlos.mendes@example.com", "No payments yet"),
  ...dashboard("payment", "payments/[id]/", ({ payments }) => `/payments/${payments.refunded}`, "The cover was torn"),
  ...dashboard(
    "payment-failed",
    "payments/[id]/",
    ({ payments }) => `/payments/${payments.failed}`,
    "Insufficient funds",
  ),
  ...dashboard(
    "payment-unknown",
    "payments/[id]/",
    ({ payments }) => `/payments/${payments.unknown}`,
    "money may have moved",
  ),
  ...dashboard("refunds", "refunds/", "/refunds", "Refunded", "No refunds yet"),
  ...dashboard("disputes", "disputes/", "/disputes", "Not received", "No disputes"),
  ...dashboard("dispute", "disputes/[id]/", ({ dispute }) => `/disputes/${dispute}`, "Taken back"),
  ...dashboard("payouts", "payouts/", "/payouts", /sandbox/i, "No payouts yet"),
  ...dashboard("payout", "payouts/[id]/", ({ payout }) => `/payouts/${payout}`, "Contents"),
  ...dashboard("exports", "exports/", "/exports", "Double entry", "Double entry"),
  ...dashboard("customers", "customers/", "/customers", "marta.keller@example.com", "No customers yet"),
  ...dashboard("customer", "customers/[email]/", "/customers/marta.keller@example.com", "Reading club"),
  ...dashboard("tokenizations", "tokenizations/", "/tokenizations", "ines.moreau@example.com", "No tokenizations yet"),
  ...dashboard("tokenization", "tokenizations/[id]/", ({ cards }) => `/tokenizations/${cards.charged}`, "Card saved"),
  ...(["pending", "revoked", "expired"] as const).flatMap((state) =>
    dashboard(
      `tokenization-${state}`,
      "tokenizations/[id]/",
      ({ cards }) => `/tokenizations/${cards[state]}`,
      "Tokenization created",
    ),
  ),
  ...dashboard("packages", "packages/", "/packages", "Collector’s box", "No packages yet"),
  ...dashboard("package", "packages/[id]/", ({ packages }) => `/packages/${packages.club}`, "marta.keller@example.com"),
  ...dashboard(
    "package-cancelled",
    "packages/[id]/",
    ({ packages }) => `/packages/${packages.summer}`,
    "No subscriptions yet.",
  ),
  ...dashboard("subscriptions", "subscriptions/", "/subscriptions", "yuki.tanaka@example.com", "No subscriptions yet"),
  ...(["active", "pastDue", "unpaid", "paused", "created", "canceled"] as const).flatMap((state) =>
    dashboard(
      `subscription-${state.toLowerCase()}`,
      "subscriptions/[id]/",
      ({ subscriptions }) => `/subscriptions/${subscriptions[state]}`,
      "Reading club",
    ),
  ),
  ...dashboard("keys", "developers/keys/", "/developers/keys", "Accounting export", "No test keys yet"),
  ...dashboard("key", "developers/keys/[id]/", ({ key }) => `/developers/keys/${key}`, "Accounting export"),
  ...dashboard("webhooks", "developers/webhooks/", "/developers/webhooks", "Bookkeeping", "No webhook endpoints yet"),
  ...dashboard(
    "webhook",
    "developers/webhooks/[id]/",
    ({ endpoint }) => `/developers/webhooks/${endpoint.good}`,
    "Delivered",
  ),
  ...dashboard(
    "webhook-failing",
    "developers/webhooks/[id]/",
    ({ endpoint }) => `/developers/webhooks/${endpoint.bad}`,
    "The connection was refused.",
  ),
  ...dashboard("events", "developers/events/", "/developers/events", "payment_link.created", "No events yet"),
  ...dashboard("event", "developers/events/[id]/", ({ event }) => `/developers/events/${event}`, "Order 2038: poetry"),
  ...dashboard("requests", "developers/requests/", "/developers/requests", "/payment-links", "No requests yet"),
  ...dashboard(
    "requests-none",
    "developers/requests/",
    "/developers/requests?request_id=none",
    "No request with this ID",
  ),
  ...dashboard(
    "request",
    "developers/requests/[id]/",
    ({ request }) => `/developers/requests/${request}`,
    "must be a valid email",
  ),
  ...dashboard("reference", "developers/reference/", "/developers/reference", "API reference"),
  ...dashboard("emails", "emails/", "/emails", "marta.keller@example.com", "No e-mails yet"),
  ...dashboard("email", "emails/[id]/", ({ email }) => `/emails/${email}`, "marta.keller@example.com"),
  ...dashboard("team", "team/", "/team", "Priya Nair", "Ben Carter"),
  ...dashboard("settings", "settings/", "/settings", "Payments and dunning", "Payments and dunning"),
  ...dashboard("audit-log", "settings/audit-log/", "/settings/audit-log", "Ida Brandt", "Ben Carter"),
  ...dashboard("account", "account/", "/account", "Sign out everywhere"),
  missing("payment-link", "payment-links/[id]/", "/payment-links/pl_none", "This payment link does not exist"),
  missing("dispute", "disputes/[id]/", "/disputes/dsp_none", "This dispute does not exist"),
  missing("payout", "payouts/[id]/", "/payouts/po_none", "This payout does not exist"),
  missing("payment", "payments/[id]/", "/payments/pay_none", "This payment does not exist"),
  missing("subscription", "subscriptions/[id]/", "/subscriptions/sub_none", "This subscription does not exist"),
  missing("package", "packages/[id]/", "/packages/pkg_none", "This package does not exist"),
  missing("tokenization", "tokenizations/[id]/", "/tokenizations/tkn_none", "This tokenization does not exist"),
  missing("key", "developers/keys/[id]/", "/developers/keys/key_none", "This API key does not exist"),
  missing("webhook", "developers/webhooks/[id]/", "/developers/webhooks/whe_none", "This endpoint does not exist"),
  missing("event", "developers/events/[id]/", "/developers/events/evt_none", "does not exist"),
  missing("request", "developers/requests/[id]/", "/developers/requests/req_none", "does not exist"),
  missing("email", "emails/[id]/", "/emails/eml_none", "does not exist"),
  { ...open("not-found", "not-found.tsx", "/no-such-page", "This page does not exist", 404), who: "shop" },

  open("login", "(auth)/login/page.tsx", "/login", "Welcome back"),
  { ...open("two-factor", "(auth)/two-factor/page.tsx", "/two-factor", "Add passkey"), who: "empty" },
  open("register", "(auth)/register/page.tsx", "/register", "Register a business"),
  open("forgot", "(auth)/forgot/page.tsx", "/forgot", "We’ll e-mail you a link"),
  open("reset", "(auth)/reset/[token]/page.tsx", ({ reset }) => reset, "New password"),
  open("reset-closed", "(auth)/reset/[token]/page.tsx", "/reset/used-already", "This link no longer works", 404),
  {
    ...open("verify", "(auth)/verify/[token]/page.tsx", "/verify/x", "Confirm your e-mail address"),
    who: "shop",
  },
  open("invitation", "(auth)/invitation/[token]/page.tsx", ({ invitation }) => invitation, "Join Harbour Books"),
  open(
    "invitation-closed",
    "(auth)/invitation/[token]/page.tsx",
    "/invitation/used",
    "This invitation is no longer valid",
    404,
  ),

  pay("form", "Order 2041", ({ links }) => `/pay?id=${links.active}`),
  pay("declined", "Order 2039", ({ declined }) => declined, 402),
  pay("bank-waits", /Order 2040|bank/, ({ links }) => `/pay?id=${links.bank}`),
  pay("in-flight", "We are checking your payment", ({ links }) => `/pay?id=${links.unknown}`),
  pay("paid", /paid/i, ({ links }) => `/pay?id=${links.paid}`),
  pay("inactive", /./, ({ links }) => `/pay?id=${links.inactive}`, 410),
  pay("expired", /./, ({ links }) => `/pay?id=${links.expired}`, 410),
  pay("deleted", /./, ({ links }) => `/pay?id=${links.deleted}`, 410),
  pay("unknown", "We can’t find this payment", () => "/pay?id=pl_none", 404),
  open("bank", "(public)/sandbox/3ds/[ref]/route.ts", ({ challenge }) => challenge, /bank/i),
  open(
    "thank-you",
    "(public)/thank-you/route.ts",
    ({ links }) => `/thank-you?id=${links.paid}`,
    "Your books leave our house tomorrow.",
  ),
  open(
    "thank-you-card",
    "(public)/thank-you/route.ts",
    ({ tokens }) => `/thank-you?token=${tokens.active}`,
    "Your card is saved",
  ),
  open("thank-you-plain", "(public)/thank-you/route.ts", "/thank-you", "You can close this page now."),
  open(
    "receipt",
    "(public)/receipt/[token]/route.ts",
    ({ receipts }) => `/receipt/${receipts.paid}`,
    "Order 2038: poetry",
  ),
  open(
    "receipt-refunded",
    "(public)/receipt/[token]/route.ts",
    ({ receipts }) => `/receipt/${receipts.refunded}`,
    "Order 2022: atlas",
  ),
  open("receipt-unknown", "(public)/receipt/[token]/route.ts", "/receipt/none", "We can’t find this receipt", 404),
  activate("pending", "Card for your orders"),
  activate("active", "saved"),
  activate("expired", "expired", 410),
  activate("revoked", "This link is no longer valid", 410),
  open("activate-unknown", "(public)/activate/[token]/route.ts", "/activate/none", "We can’t find this page", 404),
  open(
    "unsubscribe",
    "(public)/unsubscribe/[token]/route.ts",
    ({ unsubscribe }) => unsubscribe,
    "Payments received; Daily digest",
  ),
  open(
    "unsubscribe-unknown",
    "(public)/unsubscribe/[token]/route.ts",
    "/unsubscribe/none",
    "We can’t find this page",
    404,
  ),
  open("docs", "docs/route.ts", "/docs", "Paydesk API"),
  ...guides.map(({ slug, title }) => open(`docs-${slug}`, "docs/[guide]/route.ts", `/docs/${slug}`, title)),
  open("docs-unknown", "docs/[guide]/route.ts", "/docs/none", "We can’t find this page", 404),
];

/** Routes whose response is not a page. */
export const noPages = [
  ".well-known/security.txt/route.ts", // plain text
  "(public)/logo/[business]/[hash]/route.ts", // an image
  "(public)/receipt/[token]/pdf/route.ts", // a PDF
  "docs/samples/[language]/route.ts", // JSON
  "docs/search/route.ts", // JSON
  "healthz/route.ts", // JSON
  "readyz/route.ts",
];
