import { amountFields, dayFields, field, metadataField, sortField } from "@/components/ui/list/filter";
import { refundStatuses } from "@/lib/resources/refunds/contract";

export const refundFilters = {
  status: field({
    as: "status",
    choices: refundStatuses,
    words: (status, t) => t(`payments.refunds.status.${status}`),
    criterion: (status, t) => t("refunds.criterion.status", { status: t(`payments.refunds.status.${status}`) }),
  }),
  sort: sortField,
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
  metadata: metadataField,
};
