import { type FilterOf, field } from "@/components/ui/list/filter";
import { requestMethods, statusClasses } from "@/lib/resources/requests/contract";
import type { RequestFilter } from "@/lib/resources/requests/queries";

export const requestFilters = {
  status: field({
    as: "status",
    choices: statusClasses,
    words: (status, t) => t(`requests.statusClass.${status}`),
    criterion: (status, t) => t("requests.page.criterion.status", { status }),
  }),
  by: field({
    as: "select",
    choices: ["keys", "people", "all"],
    label: (t) => t("requests.page.madeBy"),
    words: (by, t) => t(`requests.page.sender.${by}`),
    criterion: (by, t) => `“${t(`requests.page.sender.${by}`)}”`,
  }),
  method: field({
    as: "select",
    choices: requestMethods,
    label: (t) => t("requests.page.method"),
    all: (t) => t("requests.page.allMethods"),
    criterion: (method, t) => t("requests.page.criterion.method", { method }),
  }),
  path: field({
    as: "search",
    label: (t) => t("requests.page.search"),
    placeholder: () => "/payment-links",
    criterion: (path, t) => t("requests.page.criterion.path", { path }),
  }),
  request_id: field({
    as: "search",
    alone: true,
    label: (t) => t("requests.page.searchId"),
    placeholder: () => "X-Request-Id",
    criterion: (id, t) => t("requests.page.criterion.request", { id }),
  }),
  api_key_id: field({ as: "none", criterion: (_, t) => t("requests.page.criterion.key") }),
};

type RequestsShown = FilterOf<typeof requestFilters>;

/** The default actor: API keys; anyone if the filter names a request. */
export const defaultActor = ({ request_id }: RequestsShown): "keys" | "all" => (request_id ? "all" : "keys");

export function requestFilterOf({ by, ...rest }: RequestsShown): RequestFilter {
  const actor = by ?? defaultActor(rest);
  return { ...rest, actor_type: actor === "all" ? undefined : actor === "people" ? "user" : "api_key" };
}
