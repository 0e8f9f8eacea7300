import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks as resource } from "@/lib/resources/payment-links/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(tx, actor, { resource, event: (data) => ({ type: "payment_link.updated", data }) }, params.id, body),
  ),
);
