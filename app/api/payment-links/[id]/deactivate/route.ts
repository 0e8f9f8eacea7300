import { handle, methods } from "@/lib/api/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/payment-links/contract";
import { switchPaymentLink } from "@/lib/payment-links/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.deactivate, ({ actor, params, tx }) => switchPaymentLink(tx, actor, params.id, "Inactive")),
);
