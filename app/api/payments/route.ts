import { handle, methods } from "@/lib/api/handle";
import { paymentEndpoints as endpoints } from "@/lib/payments/contract";
import { listPayments } from "@/lib/payments/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listPayments(tx, actor, query)),
);
