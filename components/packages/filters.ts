import { field, metadataField } from "@/components/ui/list/filter";
import { packageStatuses } from "@/lib/resources/packages/contract";

export const packageFilters = {
  status: field({
    as: "status",
    choices: packageStatuses,
    words: (status, t) => t(`packages.status.${status}`),
    criterion: (status, t) => t("packages.criterion.status", { status: t(`packages.status.${status}`) }),
  }),
  q: field({
    as: "search",
    label: (t) => t("packages.list.search"),
    placeholder: (t) => t("packages.list.searchPlaceholder"),
    criterion: (text, t) => t("packages.criterion.text", { text }),
  }),
  metadata: metadataField,
};
