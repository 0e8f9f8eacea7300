import { handle, methods } from "@/lib/http/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { sendPaymentLink } from "@/lib/resources/payment-links/send";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.send, ({ actor, params, tx }) => sendPaymentLink(tx, actor, params.id)),
);
