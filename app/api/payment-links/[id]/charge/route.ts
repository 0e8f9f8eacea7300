import { handle, methods } from "@/lib/api/handle";
import { paymentEndpoints as endpoints } from "@/lib/payments/contract";
import { chargePaymentLink } from "@/lib/payments/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.charge, ({ actor, params, body, operation }) =>
    chargePaymentLink(actor, params.id, body, operation),
  ),
);
