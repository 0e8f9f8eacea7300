import { FirstRows } from "@/app/(dashboard)/first-rows";
import { currentTimeZone, requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/payment-links/route";
import { paymentLinkFilters, paymentLinksAsked } from "@/components/payment-links/filters";
import { PaymentLinksPage } from "@/components/payment-links/payment-links-page";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { daysAsInstants, readFilter } from "@/components/ui/list/filter";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLinks");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/payment-links", searchParams));
  const filter = readFilter(paymentLinkFilters, await queryOf(searchParams));
  const rows = paymentLinksQueryOptions(daysAsInstants(paymentLinksAsked(filter), await currentTimeZone()));
  return (
    <FirstRows reads={[[GET, rows]]}>
      <PaymentLinksPage />
    </FirstRows>
  );
}
