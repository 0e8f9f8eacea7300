import { amountFields, dayFields, type FilterOf, field, metadataField, sortFields } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";
import { endedReasons, subscriptionStatuses } from "@/lib/resources/subscriptions/contract";

export const subscriptionFilters = {
  status: field({
    as: "status",
    choices: subscriptionStatuses,
    words: (status, t) => t(`subscriptions.status.${status}`),
    criterion: (status, t) => t("subscriptions.criterion.status", { status: t(`subscriptions.status.${status}`) }),
  }),
  package_id: field({
    as: "select",
    label: (t) => t("subscriptions.list.package"),
    all: (t) => t("subscriptions.list.allPackages"),
    criterion: (_, t) => t("subscriptions.criterion.unknownPackage"),
  }),
  untold_price: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("subscriptions.filters.priceChange"),
    words: (_, t) => t("subscriptions.filters.untoldPrice"),
    criterion: (_, t) => t("subscriptions.criterion.untoldPrice"),
  }),
  first_payment_failed: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("subscriptions.filters.firstPayment"),
    words: (_, t) => t("subscriptions.filters.firstPaymentFailed"),
    criterion: (_, t) => t("subscriptions.criterion.firstPaymentFailed"),
  }),
  recurring: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("subscriptions.filters.revenue"),
    words: (_, t) => t("subscriptions.filters.recurring"),
    criterion: (_, t) => t("subscriptions.criterion.recurring"),
  }),
  currency: field({
    as: "none",
    choices: currencyChoices,
    label: (t) => t("subscriptions.filters.currency"),
    criterion: (currency, t) => t("subscriptions.criterion.currency", { currency }),
  }),
  churned: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("subscriptions.filters.churned"),
    words: (_, t) => t("subscriptions.filters.onlyBegun"),
    criterion: (_, t) => t("subscriptions.criterion.churned"),
  }),
  sort: sortFields("ended_at", "next_charge_at"),
  email: field({
    as: "email",
    label: (t) => t("subscriptions.filters.email"),
    criterion: (email, t) => t("subscriptions.criterion.email", { email }),
  }),
  ...amountFields(
    (t) => t("subscriptions.filters.amountFrom"),
    (t) => t("subscriptions.filters.amountTo"),
    (_, t) => t("subscriptions.criterion.amount"),
  ),
  ...dayFields(
    (t) => t("subscriptions.filters.from"),
    (t) => t("subscriptions.filters.to"),
    (_, t) => t("subscriptions.criterion.created"),
  ),
  ended_reason: field({
    as: "choice",
    choices: endedReasons,
    label: (t) => t("subscriptions.filters.endedReason"),
    words: (reason, t) => t(`subscriptions.endedReason.${reason}`),
    criterion: (reason, t) =>
      t("subscriptions.criterion.endedReason", { reason: t(`subscriptions.endedReason.${reason}`) }),
  }),
  ended_from: field({
    as: "date",
    label: (t) => t("subscriptions.filters.endedFrom"),
    criterion: (_, t) => t("subscriptions.criterion.ended"),
  }),
  ended_to: field({
    as: "date",
    label: (t) => t("subscriptions.filters.endedTo"),
    criterion: (_, t) => t("subscriptions.criterion.ended"),
  }),
  metadata: metadataField,
  q: field({
    as: "search",
    label: (t) => t("subscriptions.list.search"),
    placeholder: (t) => t("subscriptions.list.searchPlaceholder"),
    criterion: (text, t) => t("subscriptions.criterion.text", { text }),
  }),
};

type Filter = FilterOf<typeof subscriptionFilters>;

/** The list's query of the API. A list that is filtered by ends is sorted by them, latest first, because an index has that order. */
export function subscriptionsQuery(filter: Filter): Filter {
  const { ended_from, ended_to, ended_reason, churned, sort } = filter;
  const isAboutEnds = ended_from || ended_to || ended_reason || churned;
  return isAboutEnds && !sort ? { ...filter, sort: "-ended_at" } : filter;
}
