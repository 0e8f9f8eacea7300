import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { payments as resource } from "@/lib/resources/payments/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(tx, actor, { resource, event: (data) => ({ type: "payment.updated", data }) }, params.id, body),
  ),
);
