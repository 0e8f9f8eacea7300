import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { PaymentPage } from "@/components/payments/payment-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payment");

export default detailPage("/payments", PaymentPage);
