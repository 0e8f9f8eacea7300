import { type FilterOf, field } from "@/components/ui/list/filter";

export const customerFilters = {
  q: field({
    as: "search",
    label: (t) => t("customers.list.search"),
    placeholder: (t) => t("customers.list.searchHint"),
    criterion: (q, t) => t("customers.list.criterion", { q }),
  }),
  sort: field({
    as: "select",
    label: (t) => t("shell.list.order"),
    choices: ["email", "-email", "-created_at", "created_at"],
    words: (order, t) => t(`customers.list.orders.${order}`),
    usual: "email",
  }),
};

type Filter = FilterOf<typeof customerFilters>;

/** The list's query of the API, without an order that the search does not have (lib/resources/customers/service.ts). */
export function customersQuery({ sort, ...filter }: Filter): Filter {
  const searched = filter.q?.trim();
  const needs = !searched ? null : searched.includes("@") ? "email" : "created_at";
  return !sort || (needs && sort.replace("-", "") !== needs) ? filter : { ...filter, sort };
}
