import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { markPaymentLinkPaid } from "@/lib/resources/payments/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.markPaid, ({ actor, params, body, tx }) => markPaymentLinkPaid(tx, actor, params.id, body)),
);
