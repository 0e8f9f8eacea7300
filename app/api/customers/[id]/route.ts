import { handle, methods } from "@/lib/api/handle";
import { customerEndpoints as endpoints } from "@/lib/customers/contract";
import { getCustomer } from "@/lib/customers/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getCustomer(tx, actor, params.id)),
);
