import { openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { GET as getCustomer } from "@/app/api/customers/[id]/route";
import { GET as getEmails } from "@/app/api/emails/route";
import { GET as getPaymentLinks } from "@/app/api/payment-links/route";
import { GET as getPayments } from "@/app/api/payments/route";
import { GET as getSubscriptions } from "@/app/api/subscriptions/route";
import { GET as getTokenizations } from "@/app/api/tokenizations/route";
import { CustomerPage } from "@/components/customers/customer-page";
import type { SearchParams } from "@/components/shell/next-path";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { customerQueryOptions } from "@/lib/resources/customers/queries";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customer");

interface PageProps {
  params: Promise<{ email: string }>;
  searchParams: SearchParams;
}

const routes = {
  [customerEndpoints.get.path]: getCustomer,
  [emailEndpoints.list.path]: getEmails,
  [paymentLinkEndpoints.list.path]: getPaymentLinks,
  [paymentEndpoints.list.path]: getPayments,
  [subscriptionEndpoints.list.path]: getSubscriptions,
  [tokenizationEndpoints.list.path]: getTokenizations,
};

export default async function Page({ params, searchParams }: PageProps) {
  const email = decoded((await params).email);
  await openPage(`/customers/${encodeURIComponent(email)}`, searchParams);
  const load: Load = async (run) => {
    const [customer] = await Promise.all([
      run(customerQueryOptions(email)),
      run(paymentLinksQueryOptions({ email })),
      run(subscriptionsQueryOptions({ email })),
      run(paymentsQueryOptions({ email })),
      run(tokenizationsQueryOptions({ email })),
      run(emailsQueryOptions({ to: email, per_page: "10" })),
    ]);
    if (customer?.totals.some(({ open_count }) => open_count > 0))
      await run(paymentLinksQueryOptions({ email, status: "Active" }));
  };
  return (
    <FirstData routes={routes} load={load}>
      <CustomerPage email={email} />
    </FirstData>
  );
}

/** The framework does not decode path parameters. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
