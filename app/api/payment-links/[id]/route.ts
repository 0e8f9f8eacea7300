import { handle, methods } from "@/lib/http/handle";
import { ifUnchanged } from "@/lib/http/if-match";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { removePaymentLink, updatePaymentLink } from "@/lib/resources/payment-links/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => paymentLinks.get(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params: { id }, body, tx, ifMatch: readAt }) =>
    ifUnchanged(tx, actor, { table: "payment_link", id, readAt }, (tx) => updatePaymentLink(tx, actor, id, body)),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removePaymentLink(tx, actor, params.id)),
);
