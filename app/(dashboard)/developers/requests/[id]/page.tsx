import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { RequestPage } from "@/components/requests/request-page";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("request");

export default detailPage("/developers/requests", RequestPage, requestEndpoints.get);
