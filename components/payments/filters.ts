import { dayFields, field, sortField } from "@/components/ui/list/filter";
import { currencies } from "@/lib/core/money";

export const paymentFilters = {
  status: field({
    as: "status",
    choices: ["succeeded", "failed", "unknown", "requires_action", "sending"],
    words: (status, t) => t(`payments.status.${status}`),
    criterion: (status, t) => t("payments.criterion.status", { status: t(`payments.status.${status}`) }),
  }),
  sort: sortField,
  email: field({
    as: "email",
    label: (t) => t("payments.filters.email"),
    criterion: (email, t) => t("payments.criterion.email", { email }),
  }),
  currency: field({
    as: "choice",
    choices: currencies,
    label: (t) => t("payments.filters.currency"),
    criterion: (currency, t) => t("payments.criterion.currency", { currency }),
  }),
  ...dayFields(
    (t) => t("payments.filters.from"),
    (t) => t("payments.filters.to"),
    (_, t) => t("payments.criterion.created"),
  ),
};
