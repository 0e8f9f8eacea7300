import { dashboardPage } from "@/app/(dashboard)/dashboard-page";
import { AccountPage } from "@/components/account/account-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("account");

export default dashboardPage("/account", AccountPage);
