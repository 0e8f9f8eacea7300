import { type DetailPageProps, openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { GET as getFunnel } from "@/app/api/payment-links/[id]/funnel/route";
import { GET } from "@/app/api/payment-links/[id]/route";
import { GET as getPayments } from "@/app/api/payments/route";
import { PaymentLinkPage } from "@/components/payment-links/payment-link-page";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinkFunnelEndpoints } from "@/lib/resources/payment-links/funnel-contract";
import { funnelQueryOptions, paymentLinkQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLink");

const routes = {
  [paymentLinkEndpoints.get.path]: GET,
  [paymentLinkFunnelEndpoints.funnel.path]: getFunnel,
  [paymentEndpoints.list.path]: getPayments,
};

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
    <FirstData routes={routes} load={load}>
      <PaymentLinkPage id={id} />
    </FirstData>
  );
}
