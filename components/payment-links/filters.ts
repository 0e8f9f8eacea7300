import { amountFields, dayFields, type FilterOf, field, metadataField, sortFields } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";
import { paymentLinkStatuses } from "@/lib/resources/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/resources/payment-links/queries";

export const paymentLinkFilters = {
  status: field({
    as: "status",
    choices: paymentLinkStatuses,
    words: (status, t) => t(`paymentLinks.status.${status}`),
    criterion: (status, t) => t("paymentLinks.criterion.status", { status: t(`paymentLinks.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("paymentLinks.filters.search"),
    placeholder: (t) => t("paymentLinks.filters.searchHint"),
    criterion: (q, t) => t("paymentLinks.criterion.q", { q }),
  }),
  sort: sortFields("amount", "email", "expires_at"),
  paid: field({
    as: "choice",
    choices: ["true", "false"],
    label: (t) => t("paymentLinks.filters.paid"),
    words: (paid, t) => t(`paymentLinks.filters.paidChoices.${paid}`),
    criterion: (paid, t) => t(`paymentLinks.criterion.paid.${paid}`),
  }),
  awaiting_transfer: field({
    as: "choice",
    choices: ["true", "false"],
    label: (t) => t("paymentLinks.filters.awaiting"),
    words: (awaiting, t) => t(`paymentLinks.filters.awaitingChoices.${awaiting}`),
    criterion: (awaiting, t) => t(`paymentLinks.criterion.awaiting.${awaiting}`),
  }),
  currency: field({
    as: "choice",
    choices: currencyChoices,
    label: (t) => t("paymentLinks.filters.currency"),
    criterion: (currency, t) => t("paymentLinks.criterion.currency", { currency }),
  }),
  ...amountFields(
    (t) => t("paymentLinks.filters.amountFrom"),
    (t) => t("paymentLinks.filters.amountTo"),
    (_, t) => t("paymentLinks.criterion.amount"),
  ),
  ...dayFields(
    (t) => t("paymentLinks.filters.createdFrom"),
    (t) => t("paymentLinks.filters.createdTo"),
    (_, t) => t("paymentLinks.criterion.created"),
  ),
  email: field({
    as: "email",
    label: (t) => t("paymentLinks.filters.email"),
    criterion: (email, t) => t("paymentLinks.criterion.email", { email }),
  }),
  reference: field({
    as: "text",
    label: (t) => t("paymentLinks.filters.reference"),
    criterion: (reference, t) => t("paymentLinks.criterion.reference", { reference }),
  }),
  subscription_id: field({
    as: "text",
    label: (t) => t("paymentLinks.filters.subscription"),
    criterion: (_, t) => t("paymentLinks.criterion.subscription"),
  }),
  metadata: metadataField,
  /** The list hides the periods of subscriptions unless asked for: they would be most of its rows. */
  periods: field({ as: "none", choices: ["shown"] }),
  /** The table's columns; the default ones without it. */
  columns: field({ as: "page" }),
};

/** What the list asks the API for. */
export function linksQuery({ periods, ...filter }: FilterOf<typeof paymentLinkFilters>): PaymentLinkFilter {
  return periods || filter.subscription_id ? filter : { ...filter, subscription: "none" };
}
