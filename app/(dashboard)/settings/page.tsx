import type { Metadata } from "next";
import { SettingsPage } from "@/components/settings/settings-page";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  const { role } = await requireSession("/settings");
  return <SettingsPage role={role} />;
}
