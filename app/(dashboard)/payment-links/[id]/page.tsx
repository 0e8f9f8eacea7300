import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { PaymentLinkPage } from "@/components/payment-links/payment-link-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLink");

export default detailPage("/payment-links", PaymentLinkPage);
