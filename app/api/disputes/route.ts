import { handle, methods } from "@/lib/http/handle";
import { disputeEndpoints as endpoints } from "@/lib/resources/disputes/contract";
import { disputes } from "@/lib/resources/disputes/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => disputes.list(tx, actor, query)),
);
