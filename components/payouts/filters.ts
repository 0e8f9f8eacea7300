import { dayFields, field, sortField } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";

export const payoutFilters = {
  status: field({
    as: "status",
    choices: ["in_transit", "paid", "failed"],
    words: (status, t) => t(`payouts.status.${status}`),
    criterion: (status, t) => t("payouts.criterion.status", { status: t(`payouts.status.${status}`) }),
  }),
  sort: sortField,
  currency: field({
    as: "choice",
    choices: currencyChoices,
    label: (t) => t("payouts.filters.currency"),
    criterion: (currency, t) => t("payouts.criterion.currency", { currency }),
  }),
  ...dayFields(
    (t) => t("payouts.filters.from"),
    (t) => t("payouts.filters.to"),
    (_, t) => t("payouts.criterion.created"),
  ),
};

export const entryFilters = {};
