import { requireSession } from "@/app/(dashboard)/session";
import { AccountPage } from "@/components/account/account-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("account");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  await requireSession(await addressOf("/account", searchParams));
  return <AccountPage />;
}
