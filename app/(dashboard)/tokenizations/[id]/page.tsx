import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { TokenizationPage } from "@/components/tokenizations/tokenization-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("tokenization");

export default detailPage("/tokenizations", TokenizationPage);
