import { detailPage, titledFor } from "@/app/(dashboard)/dashboard-page";
import { PayoutPage } from "@/components/payouts/payout-page";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";

export const generateMetadata = titledFor(payoutEndpoints.get, "payout");

export default detailPage("/payouts", PayoutPage, payoutEndpoints.get);
