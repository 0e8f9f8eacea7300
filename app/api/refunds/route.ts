import { handle, methods } from "@/lib/http/handle";
import { refundEndpoints as endpoints } from "@/lib/resources/refunds/contract";
import { listRefunds } from "@/lib/resources/refunds/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listRefunds(tx, actor, query)),
);
