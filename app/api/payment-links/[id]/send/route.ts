import { handle, methods } from "@/lib/api/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/payment-links/contract";
import { sendPaymentLink } from "@/lib/payment-links/send";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.send, ({ actor, params, tx }) => sendPaymentLink(tx, actor, params.id)),
);
