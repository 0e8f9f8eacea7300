import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/team/members/route";
import { addressOf } from "@/components/shell/next-path";
import { TeamPage } from "@/components/team/team-page";
import { membersQueryOptions } from "@/lib/resources/team/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("team");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { userId } = await requireSession(await addressOf("/team", searchParams));
  return (
    <FirstRows reads={[[GET, membersQueryOptions()]]}>
      <TeamPage userId={userId} />
    </FirstRows>
  );
}
