"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import type { Texts } from "@/components/ui/list/columns";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { usePackageChoices } from "@/lib/resources/packages/queries";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { useSubscriptions } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { subscriptionColumns } from "./columns";
import { subscriptionFilters } from "./filters";

const SubscriptionForm = onDemand(() => import("./subscription-form").then(({ SubscriptionForm }) => SubscriptionForm));

/** The list of subscriptions: who is charged what, and when next. */
export function SubscriptionsPage() {
  const t = useTranslations("subscriptions.list");
  const titles = useTranslations("titles");
  const address = useListAddress(subscriptionFilters);
  const { package_id } = address.filter;
  const choices = usePackageChoices();
  const canCreate = useMay()(subscriptionEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("create"),
    content: (close) => <SubscriptionForm packageId={package_id} onCreated={close} />,
  });
  const names = new Map(choices.data?.map(({ _id, name }) => [_id, name]));
  const unknown = package_id && !names.has(package_id) ? [package_id] : [];
  const filters = {
    ...subscriptionFilters,
    package_id: {
      ...subscriptionFilters.package_id,
      choices: [...unknown, ...names.keys()],
      words: (id: string) => names.get(id) ?? id,
      asked: (id: string, texts: Texts) => {
        const name = names.get(id);
        return name ? texts("subscriptions.asked.package", { name }) : texts("subscriptions.asked.unknownPackage");
      },
    },
  };
  const create = canCreate && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <ListHead title={titles("subscriptions")} action={create} />
      <List
        of="subscriptions"
        query={useSubscriptions(address.filter, useNow())}
        address={address}
        filters={filters}
        columns={subscriptionColumns}
        caption={t("caption")}
        empty={{ title: t("emptyTitle"), text: t("empty"), action: create }}
      />
    </>
  );
}
