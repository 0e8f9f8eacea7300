import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Query } from "@/app/(dashboard)/first-data";
import { GET as getBusinesses } from "@/app/api/account/businesses/route";
import { GET as getNotificationChoice } from "@/app/api/account/notifications/route";
import { GET as getPasskeys } from "@/app/api/account/passkeys/route";
import { GET } from "@/app/api/account/route";
import { GET as getSessions } from "@/app/api/account/sessions/route";
import { AccountPage } from "@/components/account/account-page";
import { accountEndpoints, businessEndpoints, sessionEndpoints } from "@/lib/resources/account/contract";
import { notificationChoiceEndpoints } from "@/lib/resources/account/notifications-contract";
import { passkeyEndpoints } from "@/lib/resources/account/passkeys-contract";
import {
  accountQueryOptions,
  notificationChoiceQueryOptions,
  ownBusinessesQueryOptions,
  ownPasskeysQueryOptions,
  ownSessionsQueryOptions,
} from "@/lib/resources/account/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("account");

const routes = {
  [accountEndpoints.get.path]: GET,
  [passkeyEndpoints.list.path]: getPasskeys,
  [businessEndpoints.list.path]: getBusinesses,
  [notificationChoiceEndpoints.get.path]: getNotificationChoice,
  [sessionEndpoints.list.path]: getSessions,
};

const queries = (): Query[] => [
  accountQueryOptions(),
  ownPasskeysQueryOptions(),
  ownBusinessesQueryOptions(),
  notificationChoiceQueryOptions(),
  ownSessionsQueryOptions(),
];

export default async function Page({ searchParams }: PageProps) {
  await openPage("/account", searchParams);
  return (
    <FirstData routes={routes} load={(run) => Promise.all(queries().map((query) => run(query)))}>
      <AccountPage />
    </FirstData>
  );
}
