"use client";

import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import type { Texts } from "@/components/ui/list/columns";
import { ListPage } from "@/components/ui/list/list";
import { TotalRow } from "@/components/ui/list/total-row";
import { onDemand } from "@/components/ui/on-demand";
import { useIdle } from "@/components/ui/use-idle";
import { usePackageChoices } from "@/lib/resources/packages/queries";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { useSubscriptions } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { subscriptionColumns } from "./columns";
import { subscriptionFilters, subscriptionsQuery } from "./filters";

const SubscriptionForm = onDemand(() => import("./subscription-form").then(({ SubscriptionForm }) => SubscriptionForm));

const SubscriptionPage = onDemand(() => import("./subscription-page").then(({ SubscriptionPage }) => SubscriptionPage));
const FoundCustomers = onDemand(() =>
  import("@/components/customers/found-customers").then(({ FoundCustomers }) => FoundCustomers),
);

export function SubscriptionsPage() {
  const t = useTranslations("subscriptions.list");
  const titles = useTranslations("titles");
  const address = useListAddress(subscriptionFilters);
  const asked = subscriptionsQuery(address.query);
  const list = useSubscriptions(asked, useNow());
  const { package_id } = address.filter;
  const idle = useIdle();
  const choices = usePackageChoices(idle || package_id !== undefined);
  const create = useCreateSheet({
    endpoint: subscriptionEndpoints.create,
    form: SubscriptionForm,
    title: t("create"),
    content: (close) => <SubscriptionForm packageId={package_id} onCreated={close} />,
  });
  const names = new Map(choices.data?.map(({ _id, name }) => [_id, name]));
  const unknown = package_id && !names.has(package_id) ? [package_id] : [];
  const filters = {
    ...subscriptionFilters,
    sort: { ...subscriptionFilters.sort, usual: subscriptionsQuery({ ...address.query, sort: undefined }).sort },
    package_id: {
      ...subscriptionFilters.package_id,
      choices: [...unknown, ...names.keys()],
      words: (id: string) => names.get(id) ?? id,
      criterion: (id: string, texts: Texts) => {
        const name = names.get(id);
        return name
          ? texts("subscriptions.criterion.package", { name })
          : texts("subscriptions.criterion.unknownPackage");
      },
    },
  };
  return (
    <>
      <ListPage
        of="subscriptions"
        title={titles("subscriptions")}
        create={create}
        query={list}
        address={address}
        filters={filters}
        peek={(id) => <SubscriptionPage id={id} />}
        columns={subscriptionColumns}
        caption={t(`caption.${asked.sort ?? "-created_at"}`)}
        elsewhere={address.filter.q && <FoundCustomers of="subscriptions" text={address.filter.q} />}
        empty={{ title: t("emptyTitle"), text: t("empty") }}
      >
        <SavedViews list="subscriptions" address={address} />
        <ExportButton endpoint={subscriptionEndpoints.export} query={asked} />
      </ListPage>
      <TotalRow prices endpoint={subscriptionEndpoints.list} list={list} query={asked} />
    </>
  );
}
