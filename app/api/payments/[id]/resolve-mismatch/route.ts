import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { resolveMismatch } from "@/lib/resources/payments/settle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.resolveMismatch, ({ actor, params, body }) => resolveMismatch(actor, params.id, body)),
);
