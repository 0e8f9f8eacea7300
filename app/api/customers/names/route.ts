import { handle, methods } from "@/lib/http/handle";
import { customerEndpoints as endpoints } from "@/lib/resources/customers/contract";
import { namesOfCustomers } from "@/lib/resources/customers/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.names, ({ actor, query, tx }) => namesOfCustomers(tx, actor, query.emails)),
);
