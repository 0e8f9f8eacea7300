import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { KeyPage } from "@/components/api-keys/key-page";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("apiKey");

export default detailPage("/developers/keys", KeyPage, apiKeyEndpoints.get);
