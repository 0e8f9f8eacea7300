import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { EmailPage } from "@/components/emails/email-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("email");

export default detailPage("/emails", EmailPage);
