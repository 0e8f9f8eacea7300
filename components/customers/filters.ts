import { field } from "@/components/ui/list/filter";

export const customerFilters = {
  q: field({
    as: "search",
    label: (t) => t("customers.list.search"),
    placeholder: (t) => t("customers.list.searchHint"),
    asked: (q, t) => t("customers.list.asked", { q }),
  }),
};
