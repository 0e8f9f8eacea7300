import { dayFields, field, sortField } from "@/components/ui/list/filter";
import { currencies } from "@/lib/core/money";
import { paymentLinkStatuses } from "@/lib/resources/payment-links/contract";

export const paymentLinkFilters = {
  status: field({
    as: "status",
    choices: paymentLinkStatuses,
    words: (status, t) => t(`paymentLinks.status.${status}`),
    asked: (status, t) => t("paymentLinks.asked.status", { status: t(`paymentLinks.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("paymentLinks.filters.search"),
    placeholder: (t) => t("paymentLinks.filters.searchHint"),
    asked: (q, t) => t("paymentLinks.asked.q", { q }),
  }),
  sort: sortField,
  paid: field({
    as: "choice",
    choices: ["true", "false"],
    label: (t) => t("paymentLinks.filters.paid"),
    words: (paid, t) => t(`paymentLinks.filters.paidChoices.${paid}`),
    asked: (paid, t) => t(`paymentLinks.asked.paid.${paid}`),
  }),
  currency: field({
    as: "choice",
    choices: currencies,
    label: (t) => t("paymentLinks.filters.currency"),
    asked: (currency, t) => t("paymentLinks.asked.currency", { currency }),
  }),
  ...dayFields(
    (t) => t("paymentLinks.filters.createdFrom"),
    (t) => t("paymentLinks.filters.createdTo"),
    (_, t) => t("paymentLinks.asked.created"),
  ),
  email: field({
    as: "email",
    label: (t) => t("paymentLinks.filters.email"),
    asked: (email, t) => t("paymentLinks.asked.email", { email }),
  }),
  reference: field({
    as: "text",
    label: (t) => t("paymentLinks.filters.reference"),
    asked: (reference, t) => t("paymentLinks.asked.reference", { reference }),
  }),
  subscription_id: field({
    as: "text",
    label: (t) => t("paymentLinks.filters.subscription"),
    asked: (_, t) => t("paymentLinks.asked.subscription"),
  }),
  /** The table's columns; the default ones without it. */
  columns: field({ as: "page" }),
};
