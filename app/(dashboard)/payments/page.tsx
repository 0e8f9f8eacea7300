import { FirstRows } from "@/app/(dashboard)/first-rows";
import { currentTimeZone, requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/payments/route";
import { paymentFilters } from "@/components/payments/filters";
import { PaymentsPage } from "@/components/payments/payments-page";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { daysAsInstants, readFilter } from "@/components/ui/list/filter";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payments");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/payments", searchParams));
  const filter = readFilter(paymentFilters, await queryOf(searchParams));
  const rows = paymentsQueryOptions(daysAsInstants(filter, await currentTimeZone()));
  return (
    <FirstRows reads={[[GET, rows]]}>
      <PaymentsPage />
    </FirstRows>
  );
}
