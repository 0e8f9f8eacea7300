import { detailPage, titledFor } from "@/app/(dashboard)/dashboard-page";
import { RequestPage } from "@/components/requests/request-page";
import { requestEndpoints } from "@/lib/resources/requests/contract";

export const generateMetadata = titledFor(requestEndpoints.get, "request");

export default detailPage("/developers/requests", RequestPage, requestEndpoints.get);
