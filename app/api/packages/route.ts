import { handle, methods } from "@/lib/http/handle";
import { packageEndpoints as endpoints } from "@/lib/resources/packages/contract";
import { listPackages } from "@/lib/resources/packages/read";
import { createPackage } from "@/lib/resources/packages/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listPackages(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createPackage(tx, actor, body)),
);
