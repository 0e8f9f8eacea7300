import { handle, methods } from "@/lib/api/handle";
import { forecastSubscriptions } from "@/lib/billing/forecast";
import { subscriptionEndpoints as endpoints } from "@/lib/subscriptions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.forecast, ({ actor, query, tx }) => forecastSubscriptions(tx, actor, query.days)),
);
