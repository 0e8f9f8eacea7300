import { dayFields, field, metadataField, sortField } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";

export const disputeFilters = {
  status: field({
    as: "status",
    choices: ["needs_response", "under_review", "won", "lost", "inquiry_needs_response", "inquiry_closed"],
    words: (status, t) => t(`disputes.status.${status}`),
    criterion: (status, t) => t("disputes.criterion.status", { status: t(`disputes.status.${status}`) }),
  }),
  sort: sortField,
  email: field({
    as: "email",
    label: (t) => t("disputes.filters.email"),
    criterion: (email, t) => t("disputes.criterion.email", { email }),
  }),
  currency: field({
    as: "choice",
    choices: currencyChoices,
    label: (t) => t("disputes.filters.currency"),
    criterion: (currency, t) => t("disputes.criterion.currency", { currency }),
  }),
  ...dayFields(
    (t) => t("disputes.filters.from"),
    (t) => t("disputes.filters.to"),
    (_, t) => t("disputes.criterion.created"),
  ),
  metadata: metadataField,
};
