import { handle, methods } from "@/lib/http/handle";
import { forecastSubscriptions } from "@/lib/resources/subscriptions/forecast";
import { forecastReportEndpoints as endpoints } from "@/lib/resources/subscriptions/forecast-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.forecast, ({ actor, query, tx }) => forecastSubscriptions(tx, actor, query.days)),
);
