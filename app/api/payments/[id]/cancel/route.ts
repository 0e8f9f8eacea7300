import { handle, methods } from "@/lib/http/handle";
import { paymentEndpoints as endpoints } from "@/lib/resources/payments/contract";
import { withdrawPayment } from "@/lib/resources/payments/settle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.cancel, ({ actor, params }) => withdrawPayment(actor, params.id)),
);
