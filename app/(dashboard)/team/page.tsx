import type { Metadata } from "next";
import { TeamPage } from "@/components/team/team-page";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Team" };

export default async function Page() {
  const { role, userId } = await requireSession("/team");
  return <TeamPage role={role} userId={userId} />;
}
