import { type DetailPageProps, openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { PaymentLinkPage } from "@/components/payment-links/payment-link-page";
import { funnelQueryOptions, paymentLinkQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLink");

export default async function Page({ params, searchParams }: DetailPageProps) {
  const { id } = await params;
  await openPage(`/payment-links/${encodeURIComponent(id)}`, searchParams);
  const load: Load = (run) =>
    Promise.all([
      run(paymentLinkQueryOptions(id)),
      run(paymentsQueryOptions({ payment_link_id: id, per_page: "100" })),
      run(funnelQueryOptions(id)),
    ]);
  return (
    <FirstData load={load}>
      <PaymentLinkPage id={id} />
    </FirstData>
  );
}
