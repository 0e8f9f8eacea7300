import { field } from "@/components/ui/list/filter";
import { eventTypeNames } from "@/lib/resources/events/types";

export const eventTypeField = field({
  as: "select",
  choices: eventTypeNames,
  label: (t) => t("events.typeFilter.label"),
  all: (t) => t("events.typeFilter.all"),
  criterion: (type, t) => t("events.page.criterion.type", { type }),
});

export const eventFilters = {
  type: eventTypeField,
  resource_id: field({
    as: "search",
    label: (t) => t("events.page.search"),
    placeholder: (t) => t("events.page.searchHint"),
    criterion: (id, t) => t("events.page.criterion.resource", { id }),
  }),
};
