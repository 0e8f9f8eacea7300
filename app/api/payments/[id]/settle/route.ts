import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { settlePayment } from "@/lib/resources/payments/settle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.settle, ({ actor, params, body }) => settlePayment(actor, params.id, body)),
);
