import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { disputeEndpoints as endpoints } from "@/lib/resources/disputes/contract";
import { disputes as resource } from "@/lib/resources/disputes/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(tx, actor, { resource, event: (data) => ({ type: "dispute.updated", data }) }, params.id, body),
  ),
);
