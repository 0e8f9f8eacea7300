import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import type { Wanted } from "./pages-watch";

export interface Page extends Wanted {
  /** As the folders have it: /payments/[id]. */
  route: string;
  /** Where one comes from, and the link that one follows there. */
  from: string;
  link: string;
}

type Known = Pick<Wanted, "content" | "control"> & { from?: string; newest?: string };

const rows = "tbody tr";
const turn = "nav[aria-label=Pages] button:last-of-type";
const button = "button:not([type=submit])";
/** A status that is not chosen: a click on the chosen one changes nothing. */
const status = "button[aria-pressed=false]";
const list: Known = { content: rows, control: turn };
const facts = (newest: string, control = button): Known => ({ content: "dl", control, newest });

/** What each page must show, and what of it is used; `newest` finds the row that a page about one shows, of business $1. */
export const known: Record<string, Known> = {
  "/": { content: rows, control: "select" },
  "/account": { content: "form", control: button, from: "/payments" },
  "/customers": list,
  "/customers/[email]": {
    ...facts("SELECT email AS id FROM payment_link WHERE business_id = $1 AND email = 'payer4@example.com' LIMIT 1"),
    content: rows,
  },
  "/developers/events": list,
  "/developers/events/[id]": facts(
    "SELECT id FROM event WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
  ),
  "/developers/keys": { content: rows, control: status },
  "/developers/keys/[id]": facts(
    "SELECT id FROM api_key WHERE business_id = $1 AND livemode = false ORDER BY created_at DESC LIMIT 1",
  ),
  "/developers/reference": { content: "pre", control: "select" },
  "/developers/requests": list,
  "/developers/requests/[id]": facts(
    "SELECT id FROM api_request WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
  ),
  "/developers/webhooks": { content: rows, control: "button" },
  "/developers/webhooks/[id]": {
    ...facts("SELECT id FROM webhook_endpoint WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1", turn),
    content: rows,
  },
  "/disputes": list,
  "/disputes/[id]": facts(
    "SELECT id FROM dispute WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
    "dl a",
  ),
  "/emails": list,
  "/emails/[id]": facts(
    "SELECT id FROM email WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
    status,
  ),
  "/exports": { content: "select", control: "select" },
  "/packages": list,
  "/packages/[id]": facts("SELECT id FROM package WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1"),
  "/payment-links": list,
  "/payment-links/[id]": facts(
    "SELECT id FROM payment_link WHERE business_id = $1 AND status = 'Active' ORDER BY created_at DESC LIMIT 1",
  ),
  "/payment-links/import": { content: "input[type=file]", control: "input[type=file]", from: "/payment-links" },
  "/payments": list,
  "/payments/[id]": facts(
    "SELECT id FROM payment WHERE business_id = $1 AND status = 'succeeded' ORDER BY created_at DESC LIMIT 1",
  ),
  "/payouts": list,
  "/payouts/[id]": facts(
    "SELECT id FROM payout WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
    turn,
  ),
  "/refunds": { content: rows, control: status },
  "/settings": { content: "form", control: "button[type=submit]" },
  "/settings/audit-log": list,
  "/subscriptions": list,
  "/subscriptions/[id]": facts(
    "SELECT id FROM subscription WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
  ),
  "/team": { content: "li", control: button },
  "/tokenizations": list,
  "/tokenizations/[id]": facts(
    "SELECT id FROM tokenization WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
  ),
};

const folder = join(import.meta.dirname, "../../app/(dashboard)");

/** Every page of the dashboard, by the files that are there. */
export const routes = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)page\.tsx$/.test(path))
    .map((path) => `/${path.replace(/\/?page\.tsx$/, "")}`)
    .sort();

/** @throws Error for one of which nothing is known */
export async function listPages(client: Client, businessId: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (const route of routes()) {
    const page = known[route];
    if (!page) throw new Error(`What makes ${route} usable is to be added to tests/bench/pages-list.ts.`);
    const { content, control, newest, from } = page;
    const { rows: found } = newest ? await client.query<{ id: string }>(newest, [businessId]) : { rows: [] };
    const above = route.replace(/\/\[\w+\]$/, "");
    const path = newest ? `${above}/${found[0]?.id}` : route;
    const link = newest ? `#content :is(tbody, li) a[href^="${above}/"]` : `a[href="${path}"]`;
    pages.push({ route, path, content, control, link, from: from ?? (newest ? above : "/account") });
  }
  return pages;
}
