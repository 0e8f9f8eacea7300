import { handle, methods } from "@/lib/http/handle";
import { refundEndpoints as endpoints } from "@/lib/resources/refunds/contract";
import { refunds } from "@/lib/resources/refunds/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => refunds.get(tx, actor, params.id)),
);
