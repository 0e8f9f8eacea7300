import { amountFields, dayFields, field, metadataField, sortFields } from "@/components/ui/list/filter";
import { currencyChoices } from "@/lib/core/currency-choices";
import { manualMethods, refundedParts } from "@/lib/resources/payments/contract";

export const paymentFilters = {
  status: field({
    as: "status",
    choices: ["succeeded", "failed", "reversed", "unknown", "requires_action", "sending"],
    words: (status, t) => t(`payments.status.${status}`),
    criterion: (status, t) => t("payments.criterion.status", { status: t(`payments.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("payments.filters.search"),
    placeholder: (t) => t("payments.filters.searchHint"),
    criterion: (q, t) => t("payments.criterion.q", { q }),
  }),
  sort: sortFields("amount"),
  email: field({
    as: "email",
    label: (t) => t("payments.filters.email"),
    criterion: (email, t) => t("payments.criterion.email", { email }),
  }),
  currency: field({
    as: "choice",
    choices: currencyChoices,
    label: (t) => t("payments.filters.currency"),
    criterion: (currency, t) => t("payments.criterion.currency", { currency }),
  }),
  ...amountFields(
    (t) => t("payments.filters.amountFrom"),
    (t) => t("payments.filters.amountTo"),
    (_, t) => t("payments.criterion.amount"),
  ),
  ...dayFields(
    (t) => t("payments.filters.from"),
    (t) => t("payments.filters.to"),
    (_, t) => t("payments.criterion.created"),
  ),
  settled_from: field({
    as: "date",
    label: (t) => t("payments.filters.settledFrom"),
    criterion: (_, t) => t("payments.criterion.settled"),
  }),
  settled_to: field({
    as: "date",
    label: (t) => t("payments.filters.settledTo"),
    criterion: (_, t) => t("payments.criterion.settled"),
  }),
  gateway: field({
    as: "choice",
    choices: ["sandbox", "stripe", "manual"],
    label: (t) => t("payments.filters.gateway"),
    words: (gateway, t) => t(`payments.filters.gateways.${gateway}`),
    criterion: (gateway, t) => t("payments.criterion.gateway", { gateway: t(`payments.filters.gateways.${gateway}`) }),
  }),
  refunded: field({
    as: "choice",
    choices: refundedParts,
    label: (t) => t("payments.filters.refunded"),
    words: (part, t) => t(`payments.filters.refundedParts.${part}`),
    criterion: (part, t) => t(`payments.criterion.refunded.${part}`),
  }),
  mismatch: field({
    as: "choice",
    choices: ["open"],
    label: (t) => t("payments.filters.mismatch"),
    words: (mismatch, t) => t(`payments.filters.mismatches.${mismatch}`),
    criterion: (_, t) => t("payments.criterion.status", { status: t("payments.status.mismatch") }),
  }),
  method: field({
    as: "choice",
    choices: manualMethods,
    label: (t) => t("payments.filters.method"),
    words: (method, t) => t(`payments.method.${method}`),
    criterion: (method, t) => t("payments.criterion.method", { method: t(`payments.method.${method}`) }),
  }),
  risk: field({
    as: "choice",
    choices: ["elevated", "highest"],
    label: (t) => t("payments.risk.term"),
    words: (risk, t) => t(`payments.risk.${risk}`),
    criterion: (risk, t) => t("payments.criterion.risk", { risk: t(`payments.risk.${risk}`) }),
  }),
  metadata: metadataField,
};
