import { handle, methods } from "@/lib/http/handle";
import { unknownChargeEndpoints as endpoints } from "@/lib/resources/unknown-charges/contract";
import { unknownCharges } from "@/lib/resources/unknown-charges/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => unknownCharges.list(tx, actor, query)),
);
