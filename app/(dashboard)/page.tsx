import { dashboardPage } from "@/app/(dashboard)/dashboard-page";
import { OverviewPage } from "@/components/overview/overview-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("overview");

export default dashboardPage("/", OverviewPage);
