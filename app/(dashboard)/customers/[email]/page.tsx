import { openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { CustomerPage } from "@/components/customers/customer-page";
import type { SearchParams } from "@/components/shell/next-path";
import { customerQueryOptions } from "@/lib/resources/customers/queries";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customer");

interface PageProps {
  params: Promise<{ email: string }>;
  searchParams: SearchParams;
}

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
    <FirstData load={load}>
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
