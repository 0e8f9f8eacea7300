import { field } from "@/components/ui/list/filter";
import { packageStatuses } from "@/lib/resources/packages/contract";

export const packageFilters = {
  status: field({
    as: "status",
    choices: packageStatuses,
    words: (status, t) => t(`packages.status.${status}`),
    asked: (status, t) => t("packages.asked.status", { status: t(`packages.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("packages.list.search"),
    placeholder: (t) => t("packages.list.searchPlaceholder"),
    asked: (text, t) => t("packages.asked.text", { text }),
  }),
};
