import { dashboardPage } from "@/app/(dashboard)/dashboard-page";
import { TryPage } from "@/components/reference/try-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("reference");

export default dashboardPage("/developers/reference", TryPage);
