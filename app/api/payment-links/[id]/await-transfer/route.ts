import { handle, methods } from "@/lib/http/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { setAwaitingTransfer } from "@/lib/resources/payment-links/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.awaitTransfer, ({ actor, params, tx }) => setAwaitingTransfer(tx, actor, params.id, true)),
  handle(endpoints.stopAwaitingTransfer, ({ actor, params, tx }) => setAwaitingTransfer(tx, actor, params.id, false)),
);
