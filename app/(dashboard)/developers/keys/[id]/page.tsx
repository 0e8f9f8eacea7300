import { detailPage, titledFor } from "@/app/(dashboard)/dashboard-page";
import { KeyPage } from "@/components/api-keys/key-page";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";

export const generateMetadata = titledFor(apiKeyEndpoints.get, "apiKey");

export default detailPage("/developers/keys", KeyPage, apiKeyEndpoints.get);
