import { handle, methods } from "@/lib/http/handle";
import { refundEndpoints as endpoints } from "@/lib/resources/refunds/contract";
import { refundPaymentLink } from "@/lib/resources/refunds/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ actor, params, body, operation }) =>
    refundPaymentLink(actor, params.id, body, operation),
  ),
);
