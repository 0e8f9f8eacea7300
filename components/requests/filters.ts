import { type FilterOf, field } from "@/components/ui/list/filter";
import { requestMethods, statusClasses } from "@/lib/resources/requests/contract";
import type { RequestFilter } from "@/lib/resources/requests/queries";

export const requestFilters = {
  status: field({
    as: "status",
    choices: statusClasses,
    words: (status, t) => t(`requests.statusClass.${status}`),
    asked: (status, t) => t("requests.page.asked.status", { status }),
  }),
  by: field({
    as: "select",
    choices: ["keys", "people", "all"],
    label: (t) => t("requests.page.madeBy"),
    words: (by, t) => t(`requests.page.sender.${by}`),
    asked: (by, t) => `“${t(`requests.page.sender.${by}`)}”`,
  }),
  method: field({
    as: "select",
    choices: requestMethods,
    label: (t) => t("requests.page.method"),
    all: (t) => t("requests.page.allMethods"),
    asked: (method, t) => t("requests.page.asked.method", { method }),
  }),
  path: field({
    as: "search",
    label: (t) => t("requests.page.search"),
    placeholder: () => "/payment-links",
    asked: (path, t) => t("requests.page.asked.path", { path }),
  }),
  request_id: field({
    as: "search",
    alone: true,
    label: (t) => t("requests.page.searchId"),
    placeholder: () => "X-Request-Id",
    asked: (id, t) => t("requests.page.asked.request", { id }),
  }),
  api_key_id: field({ as: "none", asked: (_, t) => t("requests.page.asked.key") }),
};

type RequestsShown = FilterOf<typeof requestFilters>;

/** The default actor: API keys; anyone if the filter names a request. */
export const usualActor = ({ request_id }: RequestsShown): "keys" | "all" => (request_id ? "all" : "keys");

export function requestsAsked({ by, ...rest }: RequestsShown): RequestFilter {
  const whose = by ?? usualActor(rest);
  return { ...rest, actor_type: whose === "all" ? undefined : whose === "people" ? "user" : "api_key" };
}
