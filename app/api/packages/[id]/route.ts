import { handle, methods } from "@/lib/api/handle";
import { packageEndpoints as endpoints } from "@/lib/packages/contract";
import { getPackage } from "@/lib/packages/read";
import { removePackage, updatePackage } from "@/lib/packages/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getPackage(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params, body, tx }) => updatePackage(tx, actor, params.id, body)),
  handle(endpoints.remove, ({ actor, params, tx }) => removePackage(tx, actor, params.id)),
);
