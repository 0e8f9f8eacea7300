import { handle, methods } from "@/lib/http/handle";
import { customerEndpoints as endpoints } from "@/lib/resources/customers/contract";
import { getCustomer, updateCustomer } from "@/lib/resources/customers/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getCustomer(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params, body, tx }) => updateCustomer(tx, actor, params.id, body)),
);
