import { handle, methods } from "@/lib/http/handle";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { createPaymentLink } from "@/lib/resources/payment-links/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => paymentLinks.list(tx, actor, query)),
  handle(endpoints.create, ({ actor, who, body, tx }) => createPaymentLink(tx, actor, body, who), { actsAs: false }),
);
