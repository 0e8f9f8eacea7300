import { field } from "@/components/ui/list/filter";
import { emailStatuses } from "@/lib/resources/emails/contract";

export const emailFilters = {
  status: field({
    as: "status",
    choices: emailStatuses,
    words: (status, t) => t(`emails.status.${status}`),
    asked: (status, t) => t("emails.page.asked.status", { status: t(`emails.status.${status}`) }),
  }),
  to: field({
    as: "search",
    label: (t) => t("emails.page.search"),
    placeholder: (t) => t("emails.page.searchHint"),
    asked: (to, t) => t("emails.page.asked.to", { to }),
  }),
};
