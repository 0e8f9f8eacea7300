import { openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData } from "@/app/(dashboard)/first-data";
import type { SearchParams } from "@/components/shell/next-path";
import { TeamPage } from "@/components/team/team-page";
import { env } from "@/lib/core/env";
import { invitationsQueryOptions, membersQueryOptions } from "@/lib/resources/team/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("team");

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { userId } = await openPage("/team", searchParams);
  return (
    <FirstData load={(run) => Promise.all([run(membersQueryOptions()), run(invitationsQueryOptions())])}>
      <TeamPage userId={userId} sendsMail={env().SMTP_URL !== undefined} />
    </FirstData>
  );
}
