import { field } from "@/components/ui/list/filter";
import { currencies } from "@/lib/core/money";
import { subscriptionStatuses } from "@/lib/resources/subscriptions/contract";

export const subscriptionFilters = {
  status: field({
    as: "status",
    choices: subscriptionStatuses,
    words: (status, t) => t(`subscriptions.status.${status}`),
    criterion: (status, t) => t("subscriptions.criterion.status", { status: t(`subscriptions.status.${status}`) }),
  }),
  package_id: field({
    as: "select",
    label: (t) => t("subscriptions.list.package"),
    all: (t) => t("subscriptions.list.allPackages"),
    criterion: (_, t) => t("subscriptions.criterion.unknownPackage"),
  }),
  untold_price: field({
    as: "none",
    choices: ["true"],
    criterion: (_, t) => t("subscriptions.criterion.untoldPrice"),
  }),
  recurring: field({
    as: "none",
    choices: ["true"],
    criterion: (_, t) => t("subscriptions.criterion.recurring"),
  }),
  currency: field({
    as: "none",
    choices: currencies,
    criterion: (currency, t) => t("subscriptions.criterion.currency", { currency }),
  }),
  q: field({
    as: "search",
    label: (t) => t("subscriptions.list.search"),
    placeholder: (t) => t("subscriptions.list.searchPlaceholder"),
    criterion: (text, t) => t("subscriptions.criterion.text", { text }),
  }),
};
