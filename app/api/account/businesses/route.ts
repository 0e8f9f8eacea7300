import { businessEndpoints as endpoints } from "@/lib/account/contract";
import { createBusiness, listBusinesses } from "@/lib/account/sessions";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listBusinesses(tx, actor, query)),
  handle(endpoints.create, ({ tx, actor, body }) => createBusiness(tx, actor, body)),
);
