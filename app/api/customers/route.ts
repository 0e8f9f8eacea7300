import { handle, methods } from "@/lib/http/handle";
import { customerEndpoints as endpoints } from "@/lib/resources/customers/contract";
import { listCustomers } from "@/lib/resources/customers/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listCustomers(tx, actor, query)),
);
