import { field } from "@/components/ui/list/filter";

export const customerFilters = {
  q: field({
    as: "search",
    label: (t) => t("customers.list.search"),
    placeholder: (t) => t("customers.list.searchHint"),
    criterion: (q, t) => t("customers.list.criterion", { q }),
  }),
};
