import { handle, methods } from "@/lib/api/handle";
import { paymentEndpoints as endpoints } from "@/lib/payments/contract";
import { getPayment } from "@/lib/payments/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getPayment(tx, actor, params.id)),
);
