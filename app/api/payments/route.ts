import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { listPayments } from "@/lib/resources/payments/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listPayments(tx, actor, query)),
);
