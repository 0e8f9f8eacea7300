"use client";

import { UploadSimpleIcon } from "@phosphor-icons/react/dist/ssr/UploadSimple";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useMay } from "@/components/shell/may";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import { linkClass } from "@/components/ui/detail";
import { ButtonLink } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { TotalRow } from "@/components/ui/list/total-row";
import { onDemand } from "@/components/ui/on-demand";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinkCsvEndpoints } from "@/lib/resources/payment-links/csv-contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { anySubscriptionQueryOptions } from "@/lib/resources/subscriptions/queries";
import { paymentLinkColumns } from "./columns";
import { linksQuery, paymentLinkFilters } from "./filters";

const CreatePaymentLink = onDemand(() =>
  import("./create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);

const PaymentLinkPage = onDemand(() => import("./payment-link-page").then(({ PaymentLinkPage }) => PaymentLinkPage));
const LinkBulk = onDemand(() => import("./link-bulk").then(({ LinkBulk }) => LinkBulk));
const FoundCustomers = onDemand(() =>
  import("@/components/customers/found-customers").then(({ FoundCustomers }) => FoundCustomers),
);

export function PaymentLinksPage() {
  const t = useTranslations("paymentLinks.list");
  const titles = useTranslations("titles");
  const address = useListAddress(paymentLinkFilters);
  const query = linksQuery(address.query);
  const list = useQuery(paymentLinksQueryOptions(query));
  const { filter, change } = address;
  const hidden = query.subscription === "none";
  const hasPeriods = useQuery(anySubscriptionQueryOptions).data === true;
  const may = useMay();
  const create = useCreateSheet({
    endpoint: paymentLinkEndpoints.create,
    form: CreatePaymentLink,
    title: t("create"),
    wide: true,
    content: (close) => <CreatePaymentLink onDone={close} />,
  });
  const importLink = may(paymentLinkCsvEndpoints.import) && (
    <ButtonLink href="/payment-links/import">
      <UploadSimpleIcon size={16} aria-hidden />
      {t("import")}
    </ButtonLink>
  );
  return (
    <>
      <ListPage
        of="paymentLinks"
        title={titles("paymentLinks")}
        create={create}
        query={list}
        address={address}
        filters={paymentLinkFilters}
        note={
          hasPeriods &&
          filter.subscription_id === undefined && (
            <p className="mb-3 flex flex-wrap items-center gap-x-2 text-base text-kumo-subtle">
              {t(hidden ? "periodsHidden" : "periodsShown")}
              <button
                type="button"
                className={`rounded font-medium text-kumo-default max-md:min-h-11 pointer-coarse:min-h-11 ${linkClass}`}
                onClick={() => change({ cursor: undefined, periods: hidden ? "shown" : undefined }, "replace")}
              >
                {t(hidden ? "showPeriods" : "hidePeriods")}
              </button>
            </p>
          )
        }
        bulk={(links, clear) => <LinkBulk links={links} onDone={clear} />}
        peek={(id) => <PaymentLinkPage id={id} />}
        columns={paymentLinkColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        elsewhere={address.filter.q && <FoundCustomers of="paymentLinks" text={address.filter.q} />}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: (
            <div className="flex flex-wrap justify-center gap-2">
              {create}
              {importLink}
            </div>
          ),
        }}
      >
        <SavedViews list="payment_links" address={address} />
        <ExportButton endpoint={paymentLinkCsvEndpoints.export} query={query} />
        {importLink}
      </ListPage>
      <TotalRow endpoint={paymentLinkEndpoints.list} list={list} query={query} filter={address.filter} />
    </>
  );
}
