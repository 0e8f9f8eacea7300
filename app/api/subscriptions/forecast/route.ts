import { handle, methods } from "@/lib/http/handle";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";
import { forecastSubscriptions } from "@/lib/resources/subscriptions/forecast";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.forecast, ({ actor, query, tx }) => forecastSubscriptions(tx, actor, query.days)),
);
