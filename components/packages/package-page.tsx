"use client";

import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { useLeaveDeleted } from "@/components/shell/use-leave-deleted";
import { subscriptionColumns } from "@/components/subscriptions/columns";
import { Timeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { DetailHead, Fact, Facts, MomentFact, Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { useDialogs } from "@/components/ui/dialogs";
import { EditTarget } from "@/components/ui/edit-target";
import { onDemand } from "@/components/ui/on-demand";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { packageQueryOptions } from "@/lib/resources/packages/queries";
import { useSubscriptions } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { PackageMenu } from "./package-menu";
import { SubscriberCount } from "./subscriber-count";
import { PackageBadge, Price, useFirstCharge } from "./words";

const PackageForm = onDemand(() => import("./package-form").then(({ PackageForm }) => PackageForm));

export function PackagePage({ id }: { id: string }) {
  const pkg = useQuery(packageQueryOptions(id));
  return (
    <DetailFrame list="/packages" id={id} of="package" query={pkg}>
      {(data) => (
        <>
          <Head pkg={data} />
          <div className="grid grid-cols-1 gap-6">
            <Details pkg={data} />
            <AnnotationPanels endpoint={packageEndpoints.annotate} resource={data} />
            <Subscriptions id={id} />
            <Timeline of={{ package: id }} asOf={pkg.dataUpdatedAt} />
          </div>
        </>
      )}
    </DetailFrame>
  );
}

function Head({ pkg }: { pkg: PackageWithCounts }) {
  const t = useTranslations("packages");
  const may = useMay();
  const leave = useLeaveDeleted("/packages");
  const { openSheet } = useDialogs();
  const edit = () =>
    openSheet({ title: t("form.editTitle"), content: (close) => <PackageForm pkg={pkg} onSaved={close} /> });
  return (
    <DetailHead title={pkg.name} badge={<PackageBadge status={pkg.status} />}>
      {may(packageEndpoints.update) && (
        <EditTarget edit={edit}>
          <Button variant="secondary" icon={<PencilSimpleIcon size={16} />} onClick={edit}>
            {t("detail.edit")}
          </Button>
        </EditTarget>
      )}
      <PackageMenu pkg={pkg} variant="secondary" onRemoved={leave} />
    </DetailHead>
  );
}

function Details({ pkg }: { pkg: PackageWithCounts }) {
  const t = useTranslations("packages.detail");
  const frequencyOf = useTranslations("packages.frequency");
  const firstCharge = useFirstCharge();
  return (
    <Panel title={t("heading")}>
      <div className="border-b border-kumo-hairline px-4 py-4">
        <p className="text-2xl tracking-tight">
          <Price pkg={pkg} sumClass="font-semibold text-kumo-strong tabular-nums" />
        </p>
        <p className="mt-1 text-base text-kumo-subtle">{t(`state.${pkg.status}`)}</p>
      </div>
      <Facts>
        <Fact term={t("charged")}>{frequencyOf(pkg.frequency)}</Fact>
        <Fact term={t("firstCharge")}>{firstCharge(pkg)}</Fact>
        <Fact term={t("subscribers")}>
          <SubscriberCount pkg={pkg} />
        </Fact>
        <MomentFact term={t("created")} at={pkg.created_at} />
        <MomentFact term={t("changed")} at={pkg.updated_at} />
        {pkg.description && (
          <Fact term={t("description")} wide>
            <span className="whitespace-pre-line">{pkg.description}</span>
          </Fact>
        )}
        <Fact term={t("id")} wide code>
          {pkg._id}
        </Fact>
      </Facts>
    </Panel>
  );
}

/** Without the package, which the page's heading has. */
const columns = subscriptionColumns.filter(({ key }) => key !== "package");

function Subscriptions({ id }: { id: string }) {
  const t = useTranslations("packages.detail");
  const subscriptions = useSubscriptions({ package_id: id }, useNow());
  return (
    <Part
      title={t("subscriptions")}
      of="subscriptions"
      none={t("noSubscriptions")}
      all={{
        href: `/subscriptions?package_id=${id}`,
        label: t("allSubscriptions"),
        always: subscriptions.data && subscriptions.data.rows.length > 0,
      }}
      query={subscriptions}
      columns={columns}
    />
  );
}
