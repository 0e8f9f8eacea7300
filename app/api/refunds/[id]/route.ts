import { handle, methods } from "@/lib/http/handle";
import { refundEndpoints as endpoints } from "@/lib/resources/refunds/contract";
import { getRefund } from "@/lib/resources/refunds/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getRefund(tx, actor, params.id)),
);
