import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { TeamPage } from "@/components/team/team-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("team");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { userId } = await requireSession(await addressOf("/team", searchParams));
  return <TeamPage userId={userId} />;
}
