import { readDays } from "@/components/ui/list/time-range";
import { readCommon } from "@/components/ui/list/use-list-address";
import { isCurrency } from "@/lib/core/money";
import { paymentLinkStatuses } from "@/lib/resources/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/resources/payment-links/queries";
import type { TextsOf } from "@/messages/texts-of";

/** The table's columns beside title and amount, which are always there, in their order. */
export const allColumns = [
  "status",
  "email",
  "reference",
  "reference_2",
  "refunded_amount",
  "expires_at",
  "paid_at",
  "subscription_id",
  "created_at",
] as const;

export type Column = (typeof allColumns)[number];
const usual: Column[] = ["status", "email", "created_at"];

/** What the page's address says: which links, in which columns. */
export type ShownLinks = PaymentLinkFilter & { columns?: string };

const words = (params: URLSearchParams, name: string, most: number) => params.get(name)?.slice(0, most).trim();

/** What the page's address says to show; what it cannot mean is left out. */
export function readFilter(params: URLSearchParams): ShownLinks {
  const paid = params.get("paid");
  const currency = params.get("currency") ?? "";
  const email = words(params, "email", 254);
  const reference = words(params, "reference", 50);
  const subscription_id = words(params, "subscription_id", 64);
  const columns = params.get("columns");
  return {
    ...readCommon(params, paymentLinkStatuses),
    ...readDays(params),
    ...((paid === "true" || paid === "false") && { paid }),
    ...(isCurrency(currency) && { currency }),
    ...(email && { email }),
    ...(reference && { reference }),
    ...(subscription_id && { subscription_id }),
    ...(params.get("sort") === "created_at" && { sort: "created_at" as const }),
    ...(columns !== null && { columns }),
  };
}

/** The columns that an address names, in their order; the usual ones where it names none. */
export function columnsOf({ columns }: ShownLinks): Column[] {
  if (columns === undefined) return usual;
  const named = columns.split(",");
  return allColumns.filter((column) => named.includes(column));
}

/** How columns stand in an address: not at all when they are the usual ones. */
export function columnsText(columns: Column[]): string | undefined {
  const same = columns.length === usual.length && usual.every((column) => columns.includes(column));
  return same ? undefined : columns.join(",") || "none";
}

/** What is asked for, in words, each part by itself. */
export function askedFor(t: TextsOf<"paymentLinks">, filter: ShownLinks): string[] {
  const { status, paid, currency, email, reference, subscription_id, created_from, created_to, q } = filter;
  const parts = [
    status && t("asked.status", { status: t(`status.${status}`) }),
    paid && t(`asked.paid.${paid}`),
    currency && t("asked.currency", { currency }),
    email && t("asked.email", { email }),
    reference && t("asked.reference", { reference }),
    subscription_id && t("asked.subscription"),
    (created_from || created_to) && t("asked.created"),
    q && t("asked.q", { q }),
  ];
  return parts.filter((part): part is string => !!part);
}
