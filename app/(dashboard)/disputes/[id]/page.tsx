import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { DisputePage } from "@/components/disputes/dispute-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("dispute");

export default detailPage("/disputes", DisputePage);
