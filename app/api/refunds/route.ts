import { handle, methods } from "@/lib/api/handle";
import { refundEndpoints as endpoints } from "@/lib/refunds/contract";
import { listRefunds } from "@/lib/refunds/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listRefunds(tx, actor, query)),
);
