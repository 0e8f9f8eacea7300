import { handle, methods } from "@/lib/http/handle";
import { ifUnchanged } from "@/lib/http/if-match";
import { packageEndpoints as endpoints } from "@/lib/resources/packages/contract";
import { packages } from "@/lib/resources/packages/resource";
import { removePackage, updatePackage } from "@/lib/resources/packages/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => packages.get(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params: { id }, body, tx, ifMatch: readAt }) =>
    ifUnchanged(tx, actor, { table: "package", id, readAt }, (tx) => updatePackage(tx, actor, id, body)),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removePackage(tx, actor, params.id)),
);
