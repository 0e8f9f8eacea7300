"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { UploadSimpleIcon } from "@phosphor-icons/react/dist/ssr/UploadSimple";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button, buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list/list-frame";
import { daysAsInstants } from "@/components/ui/list/time-range";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { useMedia } from "@/components/ui/use-media";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinkCsvEndpoints } from "@/lib/resources/payment-links/csv-contract";
import { usePaymentLinks } from "@/lib/resources/payment-links/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { ColumnChooser } from "./column-chooser";
import { ExportButton } from "./export-button";
import { askedFor, columnsOf, columnsText, readFilter } from "./filter";
import { FilterBar } from "./filter-bar";
import { PaymentLinkCards } from "./payment-link-cards";
import { PaymentLinkTable } from "./payment-link-table";

const CreatePaymentLink = onDemand(() =>
  import("./create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);

/** The list of payment links. What it shows stands in the address, so that Back, reload and a shared link work. */
export function PaymentLinksPage() {
  const t = useTranslations("paymentLinks");
  const titles = useTranslations("titles");
  const { filter, show } = useListAddress(readFilter);
  const { cursor, columns: _, ...which } = filter;
  const query = daysAsInstants(which, useTimeZone() ?? "UTC");
  const links = usePaymentLinks({ ...query, cursor });
  const wide = useMedia("(min-width: 64rem)");
  const may = useMay();
  const canCreate = may(paymentLinkEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("list.create"),
    wide: true,
    content: (close) => <CreatePaymentLink onDone={close} />,
  });
  const columns = columnsOf(filter);
  const create = canCreate ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("list.create")}
    </Button>
  ) : null;
  const List = wide ? PaymentLinkTable : PaymentLinkCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("paymentLinks")}</h1>
        {create}
      </div>
      <FilterBar filter={filter} onChange={(next) => show(next, "replace")}>
        {wide && (
          <ColumnChooser
            columns={columns}
            onChange={(next) => show({ ...filter, columns: columnsText(next) }, "replace")}
          />
        )}
        <ExportButton query={query} />
        {may(paymentLinkCsvEndpoints.import) && (
          <Link href="/payment-links/import" className={buttonVariants({ variant: "secondary" })}>
            <UploadSimpleIcon size={16} aria-hidden />
            {t("list.import")}
          </Link>
        )}
      </FilterBar>
      <ListFrame
        rows={links}
        of="paymentLinks"
        filter={filter}
        asked={askedFor(t, filter)}
        onShow={show}
        empty={
          <Notice title={t("list.emptyTitle")} action={create}>
            {t("list.empty")}
          </Notice>
        }
      >
        {(rows) => (
          <List
            rows={rows}
            columns={columns}
            order={filter.sort ?? "-created_at"}
            onOrder={(next) =>
              show({ ...filter, cursor: undefined, sort: next === "created_at" ? next : undefined }, "replace")
            }
          />
        )}
      </ListFrame>
    </>
  );
}
