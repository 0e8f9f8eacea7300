import { field, metadataField } from "@/components/ui/list/filter";
import { tokenizationStatuses } from "@/lib/resources/tokenizations/contract";

export const tokenizationFilters = {
  status: field({
    as: "status",
    choices: tokenizationStatuses,
    words: (status, t) => t(`tokenizations.status.${status}`),
    criterion: (status, t) => t("tokenizations.criterion.status", { status: t(`tokenizations.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("tokenizations.list.search"),
    placeholder: (t) => t("tokenizations.list.searchHint"),
    criterion: (q, t) => t("tokenizations.criterion.q", { q }),
  }),
  email: field({
    as: "email",
    label: (t) => t("tokenizations.list.email"),
    criterion: (email, t) => t("tokenizations.criterion.email", { email }),
  }),
  metadata: metadataField,
};
