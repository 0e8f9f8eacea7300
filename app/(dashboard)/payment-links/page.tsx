import { listPage } from "@/app/(dashboard)/list-page";
import { linksQuery, paymentLinkFilters } from "@/components/payment-links/filters";
import { PaymentLinksPage } from "@/components/payment-links/payment-links-page";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { anySubscriptionQueryOptions } from "@/lib/resources/subscriptions/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLinks");

export default listPage("/payment-links", PaymentLinksPage, {
  filters: paymentLinkFilters,
  query: (filter) => paymentLinksQueryOptions(linksQuery(filter)),
  payer: ({ email }) => email,
  also: [anySubscriptionQueryOptions],
});
