import { handle, methods } from "@/lib/http/handle";
import { businessEndpoints as endpoints } from "@/lib/resources/account/contract";
import { createBusiness, listBusinesses } from "@/lib/resources/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listBusinesses(tx, actor, query)),
  handle(endpoints.create, ({ tx, actor, body }) => createBusiness(tx, actor, body)),
);
