"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import {
  mostEndpoints,
  type WebhookEndpoint,
  webhookEndpointEndpoints,
} from "@/lib/resources/webhook-endpoints/contract";
import { type EndpointFilter, useWebhookEndpoints } from "@/lib/resources/webhook-endpoints/queries";
import { EndpointBadge, eventsWords } from "./words";

const CreateEndpoint = onDemand(() => import("./endpoint-form").then(({ CreateEndpoint }) => CreateEndpoint));

const readFilter = (params: URLSearchParams): EndpointFilter => readCommon(params, []);

/** Where this business's systems hear of events. */
export function WebhooksPage() {
  const t = useTranslations("webhooks.page");
  const { filter, show } = useListAddress(readFilter);
  const endpoints = useWebhookEndpoints(filter);
  const wide = useMedia("(min-width: 64rem)");
  const { openSheet } = useDialogs();
  const openForm = () => openSheet({ title: t("create"), content: (close) => <CreateEndpoint onDone={close} /> });
  const canCreate = useMay()(webhookEndpointEndpoints.create);
  const full = (endpoints.data?.rows.length ?? 0) >= mostEndpoints;

  const create =
    canCreate && !full ? (
      <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openForm}>
        {t("create")}
      </Button>
    ) : null;
  const List = wide ? EndpointTable : EndpointCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
        {create}
      </div>
      <ListFrame
        rows={endpoints}
        of="endpoints"
        filter={filter}
        asked={[]}
        onShow={show}
        empty={
          <Notice title={t("empty")} action={create}>
            {t("emptyText")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
      {full && canCreate && <p className="mt-3 text-sm text-kumo-subtle">{t("full", { count: mostEndpoints })}</p>}
    </>
  );
}

function EndpointTable({ rows }: { rows: WebhookEndpoint[] }) {
  const t = useTranslations("webhooks.page");
  const words = useTranslations("webhooks.words");
  return (
    <Table
      caption={t("list")}
      head={
        <>
          <Head>{t("address")}</Head>
          <Head className="w-56">{t("events")}</Head>
          <Head className="w-36">{t("status")}</Head>
          <Head className="w-36">{t("created")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link
              href={`/developers/webhooks/${row._id}`}
              title={row.url}
              className="block truncate leading-snug text-kumo-strong row-link"
            >
              {row.url}
            </Link>
            {row.description && (
              <span className="block truncate text-sm font-normal text-kumo-subtle" title={row.description}>
                {row.description}
              </span>
            )}
          </th>
          <td className={cell} title={row.events.join(", ")}>
            {eventsWords(words, row)}
          </td>
          <td className={cell}>
            <EndpointBadge {...row} />
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function EndpointCards({ rows }: { rows: WebhookEndpoint[] }) {
  const t = useTranslations("webhooks.page");
  const words = useTranslations("webhooks.words");
  return (
    <Cards label={t("list")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="text-base font-medium wrap-anywhere">
            <Link href={`/developers/webhooks/${row._id}`} className="text-kumo-strong row-link">
              {row.url}
            </Link>
          </h2>
          {row.description && <p className="truncate text-base text-kumo-subtle">{row.description}</p>}
          <div className="flex flex-wrap items-center gap-3 py-1.5">
            <EndpointBadge {...row} />
            <span className="min-w-0 truncate text-sm text-kumo-subtle">{eventsWords(words, row)}</span>
          </div>
        </Card>
      ))}
    </Cards>
  );
}
