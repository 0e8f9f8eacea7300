import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { currentClock } from "@/app/(dashboard)/own-api";
import { currentTimeZone } from "@/app/(dashboard)/session";
import { GET as getPaymentLinks } from "@/app/api/payment-links/route";
import { GET as getPayments } from "@/app/api/payments/route";
import { GET as getOverview } from "@/app/api/reports/overview/route";
import { GET as getRates } from "@/app/api/reports/rates/route";
import { OverviewPage } from "@/components/overview/overview-page";
import { latestPayments, openLinks, periodOf, readShown } from "@/components/overview/shown";
import { queryOf } from "@/components/shell/next-path";
import { nameQueryOptions } from "@/lib/resources/customers/queries";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { reportEndpoints } from "@/lib/resources/reports/contract";
import { overviewQueryOptions, ratesQueryOptions } from "@/lib/resources/reports/queries";
import { nowOf } from "@/lib/resources/test-clock/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("overview");

const routes = {
  [reportEndpoints.overview.path]: getOverview,
  [reportEndpoints.rates.path]: getRates,
  [paymentEndpoints.list.path]: getPayments,
  [paymentLinkEndpoints.list.path]: getPaymentLinks,
};

export default async function Page({ searchParams }: PageProps) {
  await openPage("/", searchParams);
  const shown = readShown(await queryOf(searchParams));
  const days = periodOf(shown, nowOf(await currentClock()), await currentTimeZone());
  const load: Load = async (run) => {
    const [report, payments] = await Promise.all([
      run(overviewQueryOptions(days)),
      run(paymentsQueryOptions(latestPayments)),
      run(ratesQueryOptions(days)),
    ]);
    if (report && !report.first.payment) await run(paymentLinksQueryOptions(openLinks));
    await Promise.all((payments?.rows ?? []).map(({ email }) => run(nameQueryOptions(email))));
  };
  return (
    <FirstData routes={routes} load={load}>
      <OverviewPage />
    </FirstData>
  );
}
