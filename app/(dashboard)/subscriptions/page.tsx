import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { SubscriptionsPage } from "@/components/subscriptions/subscriptions-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscriptions");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/subscriptions", searchParams));
  return <SubscriptionsPage />;
}
