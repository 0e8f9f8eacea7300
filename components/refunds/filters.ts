import { amountFields, dayFields, field, metadataField, sortField } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";
import { refundStatuses } from "@/lib/resources/refunds/contract";

export const refundFilters = {
  status: field({
    as: "status",
    choices: refundStatuses,
    words: (status, t) => t(`payments.refunds.status.${status}`),
    criterion: (status, t) => t("refunds.criterion.status", { status: t(`payments.refunds.status.${status}`) }),
  }),
  unresolved: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("refunds.filters.unresolved"),
    words: (_, t) => t("refunds.filters.notAgain"),
    criterion: (_, t) => t("refunds.criterion.unresolved"),
  }),
  sort: sortField,
  currency: field({
    as: "choice",
    choices: currencyChoices,
    label: (t) => t("refunds.filters.currency"),
    criterion: (currency, t) => t("refunds.criterion.currency", { currency }),
  }),
  ...amountFields(
    (t) => t("refunds.filters.amountFrom"),
    (t) => t("refunds.filters.amountTo"),
    (_, t) => t("refunds.criterion.amount"),
  ),
  ...dayFields(
    (t) => t("refunds.filters.from"),
    (t) => t("refunds.filters.to"),
    (_, t) => t("refunds.criterion.created"),
  ),
  settled_from: field({
    as: "date",
    label: (t) => t("refunds.filters.settledFrom"),
    criterion: (_, t) => t("refunds.criterion.settled"),
  }),
  settled_to: field({
    as: "date",
    label: (t) => t("refunds.filters.settledTo"),
    criterion: (_, t) => t("refunds.criterion.settled"),
  }),
  metadata: metadataField,
};
