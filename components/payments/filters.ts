import { dayFields, field, sortField } from "@/components/ui/list/filter";
import { currencies } from "@/lib/core/money";

export const paymentFilters = {
  status: field({
    as: "status",
    choices: ["succeeded", "failed", "unknown", "requires_action", "sending"],
    words: (status, t) => t(`payments.status.${status}`),
    asked: (status, t) => t("payments.asked.status", { status: t(`payments.status.${status}`) }),
  }),
  sort: sortField,
  email: field({
    as: "email",
    label: (t) => t("payments.filters.email"),
    asked: (email, t) => t("payments.asked.email", { email }),
  }),
  currency: field({
    as: "choice",
    choices: currencies,
    label: (t) => t("payments.filters.currency"),
    asked: (currency, t) => t("payments.asked.currency", { currency }),
  }),
  ...dayFields(
    (t) => t("payments.filters.from"),
    (t) => t("payments.filters.to"),
    (_, t) => t("payments.asked.created"),
  ),
};
