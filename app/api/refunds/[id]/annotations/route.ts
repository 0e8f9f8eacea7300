import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { refundEndpoints as endpoints } from "@/lib/resources/refunds/contract";
import { refunds as resource } from "@/lib/resources/refunds/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(tx, actor, { resource, event: (data) => ({ type: "refund.updated", data }) }, params.id, body),
  ),
);
