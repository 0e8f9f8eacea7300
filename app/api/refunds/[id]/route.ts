import { handle, methods } from "@/lib/api/handle";
import { refundEndpoints as endpoints } from "@/lib/refunds/contract";
import { getRefund } from "@/lib/refunds/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getRefund(tx, actor, params.id)),
);
