import { handle, methods } from "@/lib/api/handle";
import { customerEndpoints as endpoints } from "@/lib/customers/contract";
import { listCustomers } from "@/lib/customers/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listCustomers(tx, actor, query)),
);
