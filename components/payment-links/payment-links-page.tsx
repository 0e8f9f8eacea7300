"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { UploadSimpleIcon } from "@phosphor-icons/react/dist/ssr/UploadSimple";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button, buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { daysAsInstants } from "@/components/ui/list/filter";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinkCsvEndpoints } from "@/lib/resources/payment-links/csv-contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { paymentLinkColumns } from "./columns";
import { ExportButton } from "./export-button";
import { paymentLinkFilters, paymentLinksAsked } from "./filters";

const CreatePaymentLink = onDemand(() =>
  import("./create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);

/** The list of payment links. What it shows stands in the address, so that Back, reload and a shared link work. */
export function PaymentLinksPage() {
  const t = useTranslations("paymentLinks.list");
  const titles = useTranslations("titles");
  const address = useListAddress(paymentLinkFilters);
  const asked = daysAsInstants(paymentLinksAsked(address.filter), useTimeZone() ?? "UTC");
  const { cursor: _, ...every } = asked;
  const may = useMay();
  const canCreate = may(paymentLinkEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("create"),
    wide: true,
    content: (close) => <CreatePaymentLink onDone={close} />,
  });
  const create = canCreate && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <ListHead title={titles("paymentLinks")} action={create} />
      <List
        of="paymentLinks"
        query={useQuery(paymentLinksQueryOptions(asked))}
        address={address}
        filters={paymentLinkFilters}
        columns={paymentLinkColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        empty={{ title: t("emptyTitle"), text: t("empty"), action: create }}
      >
        <ExportButton query={every} />
        {may(paymentLinkCsvEndpoints.import) && (
          <Link href="/payment-links/import" className={buttonVariants({ variant: "secondary" })}>
            <UploadSimpleIcon size={16} aria-hidden />
            {t("import")}
          </Link>
        )}
      </List>
    </>
  );
}
