import { field } from "@/components/ui/list/filter";
import { emailStatuses } from "@/lib/resources/emails/contract";

export const emailFilters = {
  status: field({
    as: "status",
    choices: emailStatuses,
    words: (status, t) => t(`emails.status.${status}`),
    criterion: (status, t) => t("emails.page.criterion.status", { status: t(`emails.status.${status}`) }),
  }),
  to: field({
    as: "search",
    label: (t) => t("emails.page.search"),
    placeholder: (t) => t("emails.page.searchHint"),
    criterion: (to, t) => t("emails.page.criterion.to", { to }),
  }),
};
