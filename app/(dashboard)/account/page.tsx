import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Query } from "@/app/(dashboard)/first-data";
import { AccountPage } from "@/components/account/account-page";
import {
  accountQueryOptions,
  notificationChoiceQueryOptions,
  ownPasskeysQueryOptions,
  ownSessionsQueryOptions,
} from "@/lib/resources/account/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("account");

const queries = (): Query[] => [
  accountQueryOptions(),
  ownPasskeysQueryOptions(),
  notificationChoiceQueryOptions(),
  ownSessionsQueryOptions(),
];

export default async function Page({ searchParams }: PageProps) {
  await openPage("/account", searchParams);
  return (
    <FirstData load={(run) => Promise.all(queries().map((query) => run(query)))}>
      <AccountPage />
    </FirstData>
  );
}
