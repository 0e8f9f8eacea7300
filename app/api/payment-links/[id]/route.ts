import { handle, methods } from "@/lib/api/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/payment-links/contract";
import { getPaymentLink } from "@/lib/payment-links/read";
import { removePaymentLink } from "@/lib/payment-links/service";
import { updateIfUnchanged } from "@/lib/payment-links/unchanged";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getPaymentLink(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params, body, tx, ifMatch }) =>
    updateIfUnchanged(tx, actor, params.id, body, ifMatch),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removePaymentLink(tx, actor, params.id)),
);
