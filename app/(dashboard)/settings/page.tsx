import { requireSession } from "@/app/(dashboard)/session";
import { SettingsPage } from "@/components/settings/settings-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("settings");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  await requireSession(await addressOf("/settings", searchParams));
  return <SettingsPage />;
}
