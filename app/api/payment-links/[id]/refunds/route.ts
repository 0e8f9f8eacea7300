import { handle, methods } from "@/lib/api/handle";
import { refundEndpoints as endpoints } from "@/lib/refunds/contract";
import { refundPaymentLink } from "@/lib/refunds/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ actor, params, body, operation }) =>
    refundPaymentLink(actor, params.id, body, operation),
  ),
);
