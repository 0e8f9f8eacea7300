import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { PayoutPage } from "@/components/payouts/payout-page";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payout");

export default detailPage("/payouts", PayoutPage, payoutEndpoints.get);
