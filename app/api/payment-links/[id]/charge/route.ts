import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { chargePaymentLink } from "@/lib/resources/payments/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.charge, ({ actor, params, body, operation }) =>
    chargePaymentLink(actor, params.id, body, operation),
  ),
);
