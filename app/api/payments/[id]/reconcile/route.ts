import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { askGateway } from "@/lib/resources/payments/settle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.reconcile, ({ actor, params }) => askGateway(actor, params.id)),
);
