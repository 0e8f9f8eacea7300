import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscription");

export default detailPage("/subscriptions", SubscriptionPage);
