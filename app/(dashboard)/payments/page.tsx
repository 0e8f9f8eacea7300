import { listPage } from "@/app/(dashboard)/list-page";
import { paymentFilters } from "@/components/payments/filters";
import { PaymentsPage } from "@/components/payments/payments-page";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payments");

export default listPage("/payments", PaymentsPage, {
  filters: paymentFilters,
  query: paymentsQueryOptions,
  payer: ({ email }) => email,
});
