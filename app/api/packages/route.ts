import { handle, methods } from "@/lib/api/handle";
import { packageEndpoints as endpoints } from "@/lib/packages/contract";
import { listPackages } from "@/lib/packages/read";
import { createPackage } from "@/lib/packages/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listPackages(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createPackage(tx, actor, body)),
);
