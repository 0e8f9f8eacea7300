import { eventTypeField } from "@/components/events/filters";
import { field } from "@/components/ui/list/filter";
import { deliveryStatuses } from "@/lib/resources/webhook-endpoints/contract";

/** The limit of endpoints is below one page: only what the overview links to. */
export const endpointFilters = {
  failing: field({
    as: "none",
    choices: ["true"],
    label: (t) => t("webhooks.filters.failing"),
    words: (_, t) => t("webhooks.filters.failingOrDisabled"),
    criterion: (_, t) => t("webhooks.criterion.failing"),
  }),
};

export const deliveryFilters = {
  status: field({
    as: "status",
    choices: deliveryStatuses,
    words: (status, t) => t(`webhooks.words.delivery.${status}`),
    criterion: (status, t) =>
      t("webhooks.deliveries.criterion.status", { status: t(`webhooks.words.delivery.${status}`) }),
  }),
  type: field({ ...eventTypeField, criterion: (type, t) => t("webhooks.deliveries.criterion.type", { type }) }),
  /** The open delivery, so that it has an address. */
  delivery: field({ as: "page" }),
};
