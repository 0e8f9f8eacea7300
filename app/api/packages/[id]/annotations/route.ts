import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { packageEndpoints as endpoints } from "@/lib/resources/packages/contract";
import { packages as resource } from "@/lib/resources/packages/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(tx, actor, { resource, event: (data) => ({ type: "package.updated", data }) }, params.id, body),
  ),
);
