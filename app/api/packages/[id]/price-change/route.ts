import { handle, methods } from "@/lib/http/handle";
import { previewPriceChange } from "@/lib/resources/packages/price-change";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.priceChange, ({ actor, params, query, tx }) => previewPriceChange(tx, actor, params.id, query)),
);
