import { openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData } from "@/app/(dashboard)/first-data";
import { GET as getInvitations } from "@/app/api/team/invitations/route";
import { GET as getMembers } from "@/app/api/team/members/route";
import type { SearchParams } from "@/components/shell/next-path";
import { TeamPage } from "@/components/team/team-page";
import { env } from "@/lib/core/env";
import { invitationEndpoints, teamEndpoints } from "@/lib/resources/team/contract";
import { invitationsQueryOptions, membersQueryOptions } from "@/lib/resources/team/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("team");

const routes = { [teamEndpoints.list.path]: getMembers, [invitationEndpoints.list.path]: getInvitations };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { userId } = await openPage("/team", searchParams);
  return (
    <FirstData
      routes={routes}
      load={(run) => Promise.all([run(membersQueryOptions()), run(invitationsQueryOptions())])}
    >
      <TeamPage userId={userId} sendsMail={env().SMTP_URL !== undefined} />
    </FirstData>
  );
}
