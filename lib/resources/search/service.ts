import type { Actor } from "@/lib/auth/actor";
import { allows, type Scope } from "@/lib/auth/scopes";
import type { Db } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { type IdPrefix, isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import type { ListQuery } from "@/lib/http/list-query";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { listCustomers } from "@/lib/resources/customers/service";
import type { Resource } from "@/lib/resources/define";
import { packageListQuery } from "@/lib/resources/packages/contract";
import { embeddedPackages } from "@/lib/resources/packages/resource";
import { paymentLinkListQuery } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { tokenizationListQuery } from "@/lib/resources/tokenizations/contract";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import { maxHits, type SearchHit } from "./contract";

type Hits = (tx: Db, actor: Actor, q: string) => Promise<SearchHit[]>;

interface Source {
  scope: Scope;
  hits: Hits;
}

/** The fields that not every type has. */
const absent = {
  ...{ email: null, status: null, card: null },
  ...{ amount: null, amount_cents: null, currency: null },
  ...{ refunded_amount: null, disputed_amount: null, dispute_status: null },
  ...{ mismatch_at: null, mismatch_resolved_at: null },
} satisfies Partial<SearchHit>;

type OwnFields = Omit<SearchHit, "_id" | "created_at" | keyof typeof absent> & Partial<SearchHit>;

/** A resource whose list has the filter `q`. */
function source<Row extends { _id: string; created_at: string }, Query extends ListQuery>(
  scope: Scope,
  prefix: IdPrefix,
  resource: Resource<Row, Query, Actor>,
  queryOf: (q: string) => Query,
  hitOf: (row: Row) => OwnFields,
): Source {
  const find = async (tx: Db, actor: Actor, q: string): Promise<Row[]> => {
    if (!isId(prefix, q)) return (await resource.list(tx, actor, queryOf(q))).rows;
    try {
      return [await resource.get(tx, actor, q)];
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found") return [];
      throw error;
    }
  };
  return {
    scope,
    hits: async (tx, actor, q) =>
      (await find(tx, actor, q)).map((row) => ({ _id: row._id, created_at: row.created_at, ...absent, ...hitOf(row) })),
  };
}

const few = { per_page: String(maxHits) };

/** In the order of their types in the response, after the customers. */
const sources: readonly Source[] = [
  source(
    "payment_links:read",
    "pl",
    paymentLinks,
    (q) => paymentLinkListQuery.parse({ q, ...few }),
    ({ title, email, status, amount, amount_cents, currency, refunded_amount }) => ({
      ...{ type: "payment_link", title, email, status, amount, amount_cents, currency, refunded_amount },
    }),
  ),
  source(
    "payments:read",
    "pay",
    payments,
    (q) => paymentListQuery.parse({ q, ...few }),
    ({ title, email, status, amount, amount_cents, currency, refunded_amount, card, ...later }) => ({
      ...{ type: "payment", title, email, status, amount, amount_cents, currency, refunded_amount },
      ...{ disputed_amount: later.disputed_amount, dispute_status: later.dispute_status },
      ...{ mismatch_at: later.mismatch_at, mismatch_resolved_at: later.mismatch_resolved_at },
      card: card && { ...card, exp_month: null, exp_year: null },
    }),
  ),
  source(
    "subscriptions:read",
    "sub",
    subscriptions,
    (q) => subscriptionListQuery.parse({ q, ...few }),
    ({ package: { name, currency }, email, status, amount, amount_cents }) => ({
      ...{ type: "subscription", title: name, email, status, amount, amount_cents, currency },
    }),
  ),
  source(
    "packages:read",
    "pkg",
    embeddedPackages,
    (q) => packageListQuery.parse({ q, ...few }),
    ({ name, status, amount, amount_cents, currency }) => ({
      ...{ type: "package", title: name, status, amount, amount_cents, currency },
    }),
  ),
  source(
    "tokenizations:read",
    "tkn",
    tokenizations,
    (q) => tokenizationListQuery.parse({ q, ...few }),
    ({ title, email, status, card }) => ({ type: "tokenization", title, email, status, card }),
  ),
];

const everyCustomer = customerEndpoints.list.query.parse({});

async function customersOf(tx: Db, actor: Actor, q: string): Promise<SearchHit[]> {
  const { rows } = await listCustomers(tx, actor, { ...everyCustomer, q, per_page: maxHits });
  return rows.map(({ _id, email, name, card, created_at }) => ({
    ...absent,
    ...{ _id, type: "customer", title: name ?? email, email, card, created_at },
  }));
}

/** Searches all that the actor may read, by a bounded number of lookups for each type. */
export async function searchAll(tx: Db, actor: Actor, q: string): Promise<Page<SearchHit>> {
  const readable = sources.filter(({ scope }) => allows(actor.scopes, scope));
  const hits = await Promise.all([
    ...(allows(actor.scopes, "customers:read") ? [customersOf(tx, actor, q)] : []),
    ...readable.map(({ hits }) => hits(tx, actor, q)),
  ]);
  return {
    rows: hits.flat(),
    page: { per_page: maxHits * (sources.length + 1), next_cursor: null, prev_cursor: null },
  };
}
