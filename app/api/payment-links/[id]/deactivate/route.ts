import { handle, methods } from "@/lib/http/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { switchPaymentLink } from "@/lib/resources/payment-links/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.deactivate, ({ actor, params, tx }) => switchPaymentLink(tx, actor, params.id, "Inactive")),
);
