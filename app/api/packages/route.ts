import { handle, methods } from "@/lib/http/handle";
import { packageEndpoints as endpoints } from "@/lib/resources/packages/contract";
import { packages } from "@/lib/resources/packages/resource";
import { createPackage } from "@/lib/resources/packages/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => packages.list(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createPackage(tx, actor, body)),
);
