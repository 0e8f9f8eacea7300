import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { currentClock } from "@/app/(dashboard)/own-api";
import { currentTimeZone } from "@/app/(dashboard)/session";
import { OverviewPage } from "@/components/overview/overview-page";
import { latestPayments, openLinks, periodOf, readShown } from "@/components/overview/shown";
import { queryOf } from "@/components/shell/next-path";
import { nameQueryOptions } from "@/lib/resources/customers/queries";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { problemKinds } from "@/lib/resources/reports/problems-contract";
import { overviewQueryOptions, problemsQueryOptions, ratesQueryOptions } from "@/lib/resources/reports/queries";
import { nowOf } from "@/lib/resources/test-clock/queries";
import { savedCardsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { openChargesQueryOptions } from "@/lib/resources/unknown-charges/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("overview");

/** With the cards that the lines offer to charge. */
const loadProblems: Load = async (run) => {
  const problems = await run(problemsQueryOptions());
  if (!problems) return;
  const { failed_first_payments, past_due_subscriptions, unpaid_subscriptions } = problems;
  const debts = [...failed_first_payments, ...past_due_subscriptions, ...unpaid_subscriptions];
  await Promise.all(debts.map(({ email }) => run(savedCardsQueryOptions(email))));
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
    await Promise.all([
      report && !report.first.payment && run(paymentLinksQueryOptions(openLinks)),
      report && report.attention.unknown_charges > 0 && run(openChargesQueryOptions()),
      report && problemKinds.some((kind) => report.attention[kind] > 0) && loadProblems(run),
      ...(payments?.rows ?? []).map(({ email }) => run(nameQueryOptions(email))),
    ]);
  };
  return (
    <FirstData load={load}>
      <OverviewPage />
    </FirstData>
  );
}
