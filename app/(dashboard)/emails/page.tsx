import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/emails/route";
import { EmailsPage } from "@/components/emails/emails-page";
import { emailFilters } from "@/components/emails/filters";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("emails");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/emails", searchParams));
  const filter = readFilter(emailFilters, await queryOf(searchParams));
  const rows = emailsQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <EmailsPage />
    </FirstRows>
  );
}
