"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/field";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { useMedia } from "@/components/ui/use-media";
import { usePackageChoices } from "@/lib/resources/packages/queries";
import { subscriptionEndpoints, subscriptionStatuses } from "@/lib/resources/subscriptions/contract";
import { type SubscriptionFilter, useSubscriptions } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { SubscriptionCards } from "./subscription-cards";
import { SubscriptionTable } from "./subscription-table";
import { useStatusLabels } from "./words";

const SubscriptionForm = onDemand(() => import("./subscription-form").then(({ SubscriptionForm }) => SubscriptionForm));

function readFilter(params: URLSearchParams): SubscriptionFilter {
  const package_id = params.get("package_id");
  return { ...readCommon(params, subscriptionStatuses), ...(package_id && { package_id }) };
}

/** The list of subscriptions: who is charged what, and when next. */
export function SubscriptionsPage() {
  const t = useTranslations("subscriptions");
  const titles = useTranslations("titles");
  const statusLabels = useStatusLabels();
  const { filter, show } = useListAddress(readFilter);
  const { status, q, package_id } = filter;
  const subscriptions = useSubscriptions(filter, useNow());
  const choices = usePackageChoices();
  const wide = useMedia("(min-width: 64rem)");
  const canCreate = useMay()(subscriptionEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("list.create"),
    content: (close) => <SubscriptionForm packageId={package_id} onCreated={close} />,
  });

  const chosen = choices.data?.find(({ _id }) => _id === package_id);
  const asked = [
    status && t("asked.status", { status: statusLabels[status] }),
    package_id && (chosen ? t("asked.package", { name: chosen.name }) : t("asked.unknownPackage")),
    q && t("asked.text", { text: q }),
  ].filter((part) => !!part);
  const create = canCreate ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("list.create")}
    </Button>
  ) : null;
  const List = wide ? SubscriptionTable : SubscriptionCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("subscriptions")}</h1>
        {create}
      </div>
      <div className="mb-4 grid gap-3">
        <StatusFilter
          labels={statusLabels}
          status={status}
          onChange={(next) => show({ ...filter, cursor: undefined, status: next }, "replace")}
        />
        <div className="flex flex-col gap-3 sm:flex-row">
          <Search
            label={t("list.search")}
            placeholder={t("list.searchPlaceholder")}
            q={q}
            onSearch={(next) => show({ ...filter, cursor: undefined, q: next }, "replace")}
          />
          <NativeSelect
            aria-label={t("list.package")}
            className="min-w-0 sm:w-56"
            value={package_id ?? ""}
            onChange={({ target }) => show({ ...filter, cursor: undefined, package_id: target.value }, "replace")}
          >
            <option value="">{t("list.allPackages")}</option>
            {package_id && !chosen && <option value={package_id}>{package_id}</option>}
            {choices.data?.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </div>
      </div>
      <ListFrame
        rows={subscriptions}
        of="subscriptions"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("list.emptyTitle")} action={create}>
            {t("list.empty")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}
