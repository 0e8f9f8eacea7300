/**
 * Whether lists take as long with millions of rows as with ten thousand: every filter of the large lists, for a business
 * with little and one with much in the same tables. docs/performance.md says how to read it.
 */
import { equal, ok } from "node:assert/strict";
import type { Client } from "pg";
import type { z } from "zod";
import { db } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import { cursorAt, maxTotal } from "@/lib/http/list";
import { auditListQuery } from "@/lib/resources/audit-log/contract";
import { auditEntries } from "@/lib/resources/audit-log/resource";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { getCustomer, listCustomers } from "@/lib/resources/customers/service";
import { emailListQuery } from "@/lib/resources/emails/contract";
import { emailSummaries } from "@/lib/resources/emails/resource";
import { eventListQuery } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";
import { previewPriceChange } from "@/lib/resources/packages/price-change";
import { paymentLinkListQuery } from "@/lib/resources/payment-links/contract";
import { funnelOfPaymentLink } from "@/lib/resources/payment-links/funnel";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { listPayments } from "@/lib/resources/payments/resource";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { listRefunds } from "@/lib/resources/refunds/resource";
import { rates } from "@/lib/resources/reports/rates";
import { overview } from "@/lib/resources/reports/service";
import { refreshFigures } from "@/lib/resources/reports/stored-figures";
import { requestListQuery } from "@/lib/resources/requests/contract";
import { requestSummaries } from "@/lib/resources/requests/resource";
import { searchAll } from "@/lib/resources/search/service";
import { priceChangeQuery, subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { forecastSubscriptions } from "@/lib/resources/subscriptions/forecast";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { timelineOfPaymentLink } from "@/lib/resources/timeline/service";
import { tokenizationListQuery } from "@/lib/resources/tokenizations/contract";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import { deliveryListQuery } from "@/lib/resources/webhook-endpoints/contract";
import { listDeliveries } from "@/lib/resources/webhook-endpoints/deliveries";
import { computedFigures } from "@/server/jobs";
import { median } from "./load";
import { printTable } from "./report";
import { type Amounts, benchId, seedBusiness, tune, withoutIndexes } from "./scale-seed";
import type { Sizes } from "./sizes";

/** A list is flat if it is at most this much slower than with few rows, or takes at most this long. */
const flatRatio = 1.2;
const flatMs = 25;
const maxMs = 250;

const who = { type: "api_key", id: "bench" } as const;
export const actorOf = (businessId: number) => ({
  businessId,
  livemode: false,
  clockAhead: 0,
  scopes: ["read" as const],
  who,
});
type Actor = ReturnType<typeof actorOf>;

interface Task {
  name: string;
  /** Null where a column does not apply. */
  first: (actor: Actor) => Promise<unknown>;
  last?: (actor: Actor) => Promise<unknown>;
  total?: (actor: Actor) => Promise<unknown>;
}

const sortOf = ({ sort }: Query) => (typeof sort === "string" ? sort : undefined);

const otherTables: Record<string, string> = {
  "/audit-log": "audit_entry",
  "/requests": "api_request",
  "/webhook-deliveries": "webhook_delivery",
};
const tableOf = (path: string): string => otherTables[path] ?? path.slice(1, -1).replace("-", "_");

/** The cursor of the page before the end of the list: the last page. */
function fromTheEnd(path: string, sort = "-created_at"): string {
  const at = sort === "created_at" ? "2999-01-01T00:00:00.000000Z" : "1970-01-02T00:00:00.000000Z";
  const keys: Record<string, string | number> = { "-amount": 0, amount: 2 ** 31 - 1, email: "~" };
  // Other times than that of creation, whose lists end with the earliest or the latest.
  const time = sort.startsWith("-") ? "1970-01-02T00:00:00.000000Z" : "2999-01-01T00:00:00.000000Z";
  const key = keys[sort] ?? (/(?<!created)_at$/.test(sort) ? time : undefined);
  return cursorAt(tableOf(path), sort, { back: true, at, id: "0", ...(key !== undefined && { key }) });
}

type Query = Record<string, string | Record<string, string>>;

/** As in an address. */
const labelsOf = (query: Query): string[] =>
  Object.entries(query).flatMap(([name, value]) =>
    typeof value === "string"
      ? [`${name}=${value}`]
      : Object.entries(value).map(([key, text]) => `${name}[${key}]=${text}`),
  );

/** Each filter alone, and some together. Values may depend on the business. */
function tasksOf<Q>(
  name: string,
  schema: z.ZodType<Q>,
  list: (actor: Actor, query: Q) => Promise<Page<unknown>>,
  filters: (Query | ((actor: Actor) => Query))[],
): Task[] {
  return [{}, { created_from: "2026-01-01", created_to: "2026-02-01" }, ...filters].map((filter) => {
    const given = (actor: Actor) => (typeof filter === "function" ? filter(actor) : filter);
    const read = (more: Query) => (actor: Actor) => list(actor, schema.parse({ ...given(actor), ...more }));
    const labels = labelsOf(given(actorOf(0)));
    return {
      name: `${name}${labels.length > 0 ? "?" : ""}${labels.join("&")}`,
      first: read({}),
      last: (actor) => read({ cursor: fromTheEnd(name, sortOf(given(actor))) })(actor),
      total: read({ with_total: "true", per_page: "1" }),
    };
  });
}

const endpointOf = ({ businessId }: Actor) => benchId("whe", businessId, 0);
const linkOf = ({ businessId }: Actor) => benchId("pl", businessId, 5);

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

const customerFilters: Query[] = [
  { created_from: "2026-01-01", created_to: "2026-02-01" },
  { created_from: "2026-01-01", sort: "created_at" },
  { metadata: { tier: "gold" } },
  { metadata: { crm_id: "c77" } },
  { metadata: { crm_id: "nothing" } },
  { metadata: { tier: "gold" }, created_from: "2026-01-01" },
  { q: "c7", metadata: { tier: "gold" } },
  { q: "c77@", created_from: "2026-01-01" },
];

export const tasks: Task[] = [
  ...tasksOf("/payment-links", paymentLinkListQuery, (actor, query) => paymentLinks.list(db, actor, query), [
    { sort: "-amount" },
    { sort: "amount" },
    { sort: "email" },
    { sort: "-amount", status: "Active" },
    { status: "Paid" },
    { status: "Active" },
    { status: "Processing" },
    { status: "Expired" },
    { paid: "true" },
    { paid: "false" },
    { currency: "EUR" },
    { currency: "USD" },
    { email: "c7@example.com" },
    { reference: "INV-4000" },
    { reference_2: "none" },
    { subscription_id: "none" },
    { subscription: "none" },
    { subscription: "none", status: "Active" },
    { q: "order", subscription: "none" },
    { q: "quetzal" },
    { q: "deposit" },
    { q: "jubilee" },
    { q: "order" },
    { q: "o" },
    { q: "order 4000" },
    { q: "nothing" },
    { status: "Inactive", currency: "GBP" },
    { status: "Processing", currency: "EUR" },
    { q: "order", status: "Processing" },
    { amount_from: "5000", amount_to: "5010" },
    { q: "deposit", currency: "USD" },
    { email: "c7@example.com", status: "Paid" },
    { metadata: { channel: "web" } },
    { metadata: { order_id: "4000" } },
    { metadata: { channel: "web", order_id: "4000" } },
    { metadata: { order_id: "nothing" } },
    { q: "web 4000" },
    { sort: "created_at", metadata: { order_id: "2" } },
    { sort: "expires_at" },
    { sort: "-expires_at", status: "Paid" },
    { sort: "created_at" },
    { sort: "created_at", q: "quetzal" },
    { sort: "created_at", currency: "USD" },
  ]),
  ...tasksOf("/subscriptions", subscriptionListQuery, (actor, query) => subscriptions.list(db, actor, query), [
    { status: "active" },
    { status: "unpaid" },
    { email: "s7@example.com" },
    { untold_price: "true" },
    { first_payment_failed: "true" },
    { first_payment_failed: "false" },
    { recurring: "true" },
    { recurring: "true", currency: "EUR" },
    { currency: "GBP" },
    { amount_from: "501" },
    { amount_to: "500", status: "active" },
    (actor) => ({ package_id: benchId("pkg", actor.businessId, 3) }),
    (actor) => ({ package_id: benchId("pkg", actor.businessId, 3), status: "unpaid" }),
    { sort: "next_charge_at" },
    { sort: "-next_charge_at", status: "created" },
    { sort: "-ended_at" },
    { sort: "-ended_at", churned: "true", ended_from: day(400), ended_to: day(1) },
    { sort: "ended_at", ended_from: day(400) },
    { sort: "-ended_at", ended_reason: "unpaid" },
    { ended_from: day(400) },
    { q: "s77" },
    { q: "example" },
    { q: "nothing" },
  ]),
  ...tasksOf("/tokenizations", tokenizationListQuery, (actor, query) => tokenizations.list(db, actor, query), [
    { status: "revoked" },
    { status: "expired" },
    { status: "active" },
    { status: "pending" },
    { email: "c7@example.com" },
    { q: "quetzal" },
    { q: "order" },
    { q: "nothing" },
  ]),
  ...tasksOf("/payments", paymentListQuery, (actor, query) => listPayments(db, actor, query), [
    { sort: "-amount" },
    { sort: "-amount", email: "c7@example.com" },
    { status: "succeeded" },
    { status: "failed" },
    { status: "unknown" },
    { currency: "EUR" },
    { currency: "USD" },
    { gateway: "stripe" },
    { currency: "EUR", status: "unknown" },
    { refunded: "partly" },
    { refunded: "fully", currency: "EUR" },
    { mismatch: "open" },
    { risk: "elevated" },
    { risk: "highest" },
    { risk: "elevated", status: "failed" },
    { sort: "created_at", risk: "elevated", currency: "EUR" },
    { email: "c7@example.com" },
    (actor) => ({ payment_link_id: linkOf(actor) }),
    { tokenization_id: "none" },
    { q: "quetzal" },
    { metadata: { channel: "web" } },
    { metadata: { order_id: "4000" } },
    { q: "deposit" },
    { q: "order 4000" },
    { q: "nothing" },
    { q: "5.07" },
    { amount_from: "5000", amount_to: "5010" },
    { q: "order", status: "failed" },
    { settled_from: day(30), settled_to: day(20), status: "succeeded", currency: "EUR" },
    { settled_from: day(3), settled_to: day(2), status: "failed" },
  ]),
  ...tasksOf("/refunds", refundEndpoints.list.query, (actor, query) => listRefunds(db, actor, query), [
    { status: "succeeded" },
    { status: "failed" },
    { unresolved: "true" },
    { unresolved: "false" },
    (actor) => ({ payment_link_id: linkOf(actor) }),
    (actor) => ({ payment_id: benchId("pay", actor.businessId, 5) }),
    { settled_from: day(30), settled_to: day(20), status: "succeeded", currency: "EUR" },
    { settled_from: day(3), settled_to: day(2), status: "failed" },
  ]),
  ...tasksOf("/events", eventListQuery, (actor, query) => events.list(db, actor, query), [
    { type: "payment_link.created" },
    { type: "subscription.unpaid" },
    (actor) => ({ resource_id: linkOf(actor) }),
    (actor) => ({ payment_link_id: linkOf(actor) }),
    { subscription_id: "none" },
  ]),
  ...tasksOf("/emails", emailListQuery, (actor, query) => emailSummaries.list(db, actor, query), [
    { status: "sent" },
    { status: "failed" },
    { template: "receipt" },
    { template: "receipt", status: "failed" },
    { to: "c7@example.com" },
    (actor) => ({ payment_id: benchId("pay", actor.businessId, 5) }),
    (actor) => ({ payment_link_id: linkOf(actor) }),
    { subscription_id: "none" },
  ]),
  ...tasksOf("/requests", requestListQuery, (actor, query) => requestSummaries.list(db, actor, query), [
    { method: "POST" },
    { method: "DELETE" },
    { status: "4xx" },
    { status: "5xx" },
    { path: "/api/payment-links" },
    { path: "/api/rare" },
    { actor_type: "user" },
    { api_key_id: "key_bench" },
    { api_key_id: "none" },
    { request_id: "request-7" },
    { method: "GET", status: "5xx", actor_type: "api_key" },
  ]),
  ...tasksOf(
    "/webhook-deliveries",
    deliveryListQuery,
    (actor, query) => listDeliveries(db, actor, endpointOf(actor), query),
    [
      { status: "failed" },
      { status: "pending" },
      { type: "payment_link.paid" },
      { type: "subscription.unpaid" },
      (actor) => ({ event_id: benchId("evt", actor.businessId, 5) }),
    ],
  ),
  ...tasksOf("/audit-log", auditListQuery, (actor, query) => auditEntries.list(db, actor, query), [
    { action: "settings.changed" },
    { action: "team.left" },
    { actor: "p7@example.com" },
    { actor: "nobody@example.com" },
    { resource_id: "res_7" },
    { resource_id: "settings" },
  ]),
  ...["", "c77", "nothing", "c77@"].map((q): Task => {
    const { query: schema } = customerEndpoints.list;
    const read = (more: Query) => (actor: Actor) =>
      listCustomers(db, actor, schema.parse({ ...(q ? { q } : {}), ...more }));
    // Words list the newest first. E-mails have cursors of their own.
    const byTime = q && !q.includes("@");
    const end = byTime ? fromTheEnd("/customers") : Buffer.from(JSON.stringify([true, "~"])).toString("base64url");
    return { name: `/customers${q ? `?q=${q}` : ""}`, first: read({}), last: read({ cursor: end }) };
  }),
  ...customerFilters.map((filter): Task => {
    const read = (more: Query) => (actor: Actor) =>
      listCustomers(db, actor, customerEndpoints.list.query.parse({ ...filter, ...more }));
    return {
      name: `/customers?${labelsOf(filter).join("&")}`,
      first: read({}),
      last: read({ cursor: fromTheEnd("/customers", sortOf(filter)) }),
      total: read({ with_total: "true", per_page: "1" }),
    };
  }),
  ...["-email", "created_at", "-created_at"].map((sort) => ({
    name: `/customers?sort=${sort}`,
    first: (actor: Actor) => listCustomers(db, actor, customerEndpoints.list.query.parse({ sort })),
  })),
  ...["quetzal", "c7", "order 4000", "5.07", "nothing"].map((q) => ({
    name: `/search?q=${q}`,
    first: (actor: Actor) => searchAll(db, actor, q),
  })),
  { name: "/customers/c7@example.com", first: (actor) => getCustomer(db, actor, "c7@example.com") },
  { name: "/payment-links/{id}", first: (actor) => paymentLinks.get(db, actor, linkOf(actor)) },
  { name: "/payment-links/{id}/funnel", first: (actor) => funnelOfPaymentLink(db, actor, linkOf(actor)) },
  {
    name: "/payment-links/{id}/timeline",
    first: (actor) =>
      timelineOfPaymentLink(db, actor, linkOf(actor), {
        per_page: 25,
        cursor: null,
        sort: "-created_at",
        with_total: false,
        created_from: null,
        created_to: null,
      }),
  },
  {
    // All subscriptions have this amount, so that a page checks as many as it may.
    name: "/packages/{id}/price-change?amount=0",
    first: (actor) =>
      previewPriceChange(db, actor, benchId("pkg", actor.businessId, 3), {
        ...priceChangeQuery.parse({ amount: "500" }),
        amount: 0,
      }),
  },
  {
    name: "/subscriptions/forecast?days=90",
    first: (actor) => forecastSubscriptions(db, actor, 90),
  },
  ...[7, 30, 365].map(
    (days): Task => ({
      name: `/reports/overview of ${days} days`,
      first: (actor) => overview(db, actor, { from: day(days - 1), to: day(0) }),
    }),
  ),
  ...[30, 365].map(
    (days): Task => ({
      name: `/reports/rates of ${days} days`,
      first: (actor) => rates(db, actor, { from: day(days - 1), to: day(0) }),
    }),
  ),
];

/** How long the job takes for each kind of figures that a request does not read itself, in ms. */
async function timeOfFigures(actor: Actor): Promise<number[]> {
  await overview(db, actor, { from: day(0), to: day(0) });
  await forecastSubscriptions(db, actor, 90);
  const times: number[] = [];
  for (;;) {
    const begun = performance.now();
    if (!(await refreshFigures(computedFigures))) return times;
    times.push(performance.now() - begun);
  }
}

/** The median in ms; infinite for a statement that PostgreSQL cancelled because it took too long. */
async function timeOf(work: () => Promise<unknown>, times: number): Promise<number> {
  const all: number[] = [];
  const done = await work().catch((error: { code?: string }) => {
    if (error.code === "57014") return null;
    throw error;
  });
  if (done === null) return Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n++) {
    const begun = performance.now();
    await work();
    all.push(performance.now() - begun);
  }
  return median(all);
}

const missed = (few: number, much: number) => much > maxMs || much > Math.max(flatMs, few * flatRatio);

/** The rows that the search must find, in both businesses, and that a total says what it is. */
async function checkAnswers(actor: Actor, { links }: Amounts): Promise<void> {
  const list = (query: Query) => paymentLinks.list(db, actor, paymentLinkListQuery.parse(query));
  equal((await list({ q: "quetzal" })).rows.length, 1);
  equal((await list({ q: "nothing" })).rows.length, 0);
  equal((await list({ q: "order", per_page: "50" })).rows.length, 50);
  const { page } = await list({ with_total: "true" });
  equal(page.total, Math.min(links, maxTotal));
  equal(page.total_is_lower_bound, links > maxTotal);
  ok((await list({ currency: "GBP" })).rows.length > 0);
}

export async function benchScale(client: Client, { scale }: Sizes, check: boolean): Promise<void> {
  const { few, much } = scale;
  console.log(`Seeding ${few.links.toLocaleString("en")} and ${much.links.toLocaleString("en")} payment links`);
  await tune(client);
  const actors: Actor[] = [];
  await withoutIndexes(client, async () => {
    for (const amounts of [few, much]) actors.push(actorOf(await seedBusiness(client, amounts)));
  });
  await measureScale(actors, scale, check);
}

async function measureScale([small, large]: Actor[], { few, much, times }: Sizes["scale"], check: boolean) {
  if (!small || !large) throw new Error("two businesses");
  await checkAnswers(small, few);
  await checkAnswers(large, much);
  const figures = await timeOfFigures(large);
  const lines: string[][] = [];
  const slow: string[] = [];
  for (const task of tasks) {
    const cells: string[] = [];
    for (const column of ["first", "last", "total"] as const) {
      const work = task[column];
      if (!work) {
        cells.push("", "");
        continue;
      }
      const [before, after] = [await timeOf(() => work(small), times), await timeOf(() => work(large), times)];
      const miss = missed(before, after);
      if (miss) slow.push(`${task.name} (${column})`);
      cells.push(before.toFixed(1), `${after.toFixed(1)}${miss ? " !" : ""}`);
    }
    lines.push([task.name, ...cells]);
  }
  const sizes = [few.links, much.links].map((count) => count.toLocaleString("en"));
  printTable([
    [
      "ms, median",
      ...["first page", "last page", "with_total"].flatMap((column) => sizes.map((size) => `${column}, ${size}`)),
    ],
    ...lines,
  ]);
  if (check) return;
  console.log(
    `\nThe job computed the figures of the large business in ${figures.map((ms) => ms.toFixed(0)).join(" and ")} ms.`,
  );
  const goal = `at most ${flatRatio} times the time with ${sizes[0]} links or ${flatMs} ms, and never above ${maxMs} ms`;
  console.log(
    slow.length > 0 ? `\nMISSES THE GOAL (${goal}): ${slow.join(", ")}` : `\nEvery row reaches the goal: ${goal}.`,
  );
}
