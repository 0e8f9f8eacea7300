import { forecastSubscriptions } from "@/lib/billing/forecast";
import { handle, methods } from "@/lib/http/handle";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.forecast, ({ actor, query, tx }) => forecastSubscriptions(tx, actor, query.days)),
);
