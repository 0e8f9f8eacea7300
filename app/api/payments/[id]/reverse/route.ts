import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { reverseManualPayment } from "@/lib/resources/payments/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.reverse, ({ actor, params, body, tx }) => reverseManualPayment(tx, actor, params.id, body)),
);
