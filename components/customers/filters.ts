import {
  dayFields,
  type FilterField,
  type FilterOf,
  field,
  metadataField,
  metadataKeyOf,
} from "@/components/ui/list/filter";

const days = dayFields(
  (t) => t("customers.list.seenFrom"),
  (t) => t("customers.list.seenTo"),
  (_, t) => t("customers.list.seenCriterion"),
);

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
  created_from: { ...days.created_from, rangeLabel: (t) => t("customers.list.seen") } satisfies FilterField,
  created_to: days.created_to,
  metadata: metadataField,
};

type Filter = FilterOf<typeof customerFilters>;

/** The field by which the API sorts customers with this filter (lib/resources/customers/service.ts); null: by either. */
function sortedBy({ q, created_from, created_to, ...others }: Filter): "email" | "created_at" | null {
  const searched = q?.trim();
  if (created_from || created_to || Object.keys(others).some(metadataKeyOf)) return "created_at";
  return searched ? (searched.includes("@") ? "email" : "created_at") : null;
}

/** The list's query for the API, without an order that the filters do not allow. */
export function customersQuery({ sort, ...filter }: Filter): Filter {
  const needs = sortedBy(filter);
  return !sort || (needs && sort.replace("-", "") !== needs) ? filter : { ...filter, sort };
}

/** The filters, with only the orders that they allow. */
export function customerFiltersFor(filter: Filter) {
  const { sort } = customerFilters;
  const needs = sortedBy(filter);
  const choices = sort.choices?.filter((order) => !needs || order.replace("-", "") === needs);
  return { ...customerFilters, sort: { ...sort, choices, usual: needs === "created_at" ? "-created_at" : "email" } };
}
