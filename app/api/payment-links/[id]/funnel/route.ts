import { handle, methods } from "@/lib/http/handle";
import { funnelOfPaymentLink } from "@/lib/resources/payment-links/funnel";
import { paymentLinkFunnelEndpoints as endpoints } from "@/lib/resources/payment-links/funnel-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.funnel, ({ actor, params, tx }) => funnelOfPaymentLink(tx, actor, params.id)),
);
