import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { EndpointPage } from "@/components/webhook-endpoints/endpoint-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("webhookEndpoint");

export default detailPage("/developers/webhooks", EndpointPage);
