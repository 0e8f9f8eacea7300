import { dashboardPage } from "@/app/(dashboard)/dashboard-page";
import { SettingsPage } from "@/components/settings/settings-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("settings");

export default dashboardPage("/settings", SettingsPage);
