"use client";

import { useTranslations } from "use-intl";
import { readType, TypeFilter } from "@/components/events/type-filter";
import { useSheetWhile } from "@/components/ui/dialogs";
import { StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import {
  deliveryStatuses,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "@/lib/resources/webhook-endpoints/contract";
import { type DeliveryFilter, useDeliveries } from "@/lib/resources/webhook-endpoints/queries";
import { attemptWords, DeliveryBadge, useDeliveryLabels } from "./words";

const DeliveryDetail = onDemand(() => import("./delivery-detail").then(({ DeliveryDetail }) => DeliveryDetail));

function readFilter(params: URLSearchParams): DeliveryFilter {
  const { status, cursor } = readCommon(params, deliveryStatuses);
  const type = readType(params.get("type"));
  return { ...(status && { status }), ...(type && { type }), ...(cursor && { cursor }) };
}

/** Also the delivery that is open, so that it has an address. */
function readAddress(params: URLSearchParams): DeliveryFilter & { delivery?: string } {
  const delivery = params.get("delivery");
  return { ...readFilter(params), ...(delivery && { delivery }) };
}

/** What was delivered to an endpoint, or is to be. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.deliveries");
  const { filter: address, show } = useListAddress(readAddress);
  const { delivery: shown, ...filter } = address;
  const { status, type } = filter;
  const labels = useDeliveryLabels();
  const deliveries = useDeliveries(endpoint._id, filter);
  const wide = useMedia("(min-width: 64rem)");
  const asked = [status && t("asked.status", { status: labels[status] }), type && t("asked.type", { type })].filter(
    (part) => !!part,
  );
  const List = wide ? DeliveryTable : DeliveryCards;
  useSheetWhile(shown !== undefined, {
    title: t("delivery"),
    content: () => shown && <DeliveryDetail id={shown} leadsTo="event" enabled={endpoint.status === "enabled"} />,
    onClosed: () => show(filter, "replace"),
  });
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-[15px] font-semibold text-kumo-strong">
        {t("title")}
      </h2>
      <div className="flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter labels={labels} status={status} onChange={(next) => show({ status: next, type }, "replace")} />
        <TypeFilter type={type} onChange={(next) => show({ status, type: next }, "replace")} />
      </div>
      <ListFrame
        rows={deliveries}
        of="deliveries"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("empty")} action={null}>
            {t("emptyText")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} onOpen={(delivery) => show({ ...filter, delivery }, "replace")} />}
      </ListFrame>
    </section>
  );
}

interface ListProps {
  rows: WebhookDelivery[];
  onOpen: (id: string) => void;
}

function TypeButton({ row, onOpen }: { row: WebhookDelivery; onOpen: ListProps["onOpen"] }) {
  const t = useTranslations("webhooks.deliveries");
  return (
    <button
      type="button"
      onClick={() => onOpen(row._id)}
      className="text-left font-mono text-sm font-medium text-kumo-strong wrap-anywhere row-link"
    >
      {row.type}
      {row.sample && <span className="font-sans font-normal text-kumo-subtle"> {t("sample")}</span>}
    </button>
  );
}

function DeliveryTable({ rows, onOpen }: ListProps) {
  const t = useTranslations("webhooks.deliveries");
  const words = useTranslations("webhooks.words");
  return (
    <Table
      caption={t("list")}
      head={
        <>
          <Head className="w-80">{t("event")}</Head>
          <Head className="w-32">{t("status")}</Head>
          <Head>{t("lastAttempt")}</Head>
          <Head className="w-24 !text-right">{t("attempts")}</Head>
          <Head className="w-36">{t("created")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <TypeButton row={row} onOpen={onOpen} />
          </th>
          <td className={cell}>
            <DeliveryBadge status={row.status} />
          </td>
          <td
            className={`${cell} text-kumo-subtle`}
            title={row.last_attempt ? attemptWords(words, row.last_attempt) : ""}
          >
            {row.last_attempt ? attemptWords(words, row.last_attempt) : t("noneYet")}
          </td>
          <td className={`${cell} text-right tabular-nums`}>{row.attempt_count}</td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function DeliveryCards({ rows, onOpen }: ListProps) {
  const t = useTranslations("webhooks.deliveries");
  const words = useTranslations("webhooks.words");
  return (
    <Cards label={t("list")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <div className="flex items-start justify-between gap-3">
            <TypeButton row={row} onOpen={onOpen} />
            <DeliveryBadge status={row.status} />
          </div>
          <p className="pb-1.5 text-sm text-kumo-subtle">
            <When at={row.created_at} />
            {row.last_attempt && ` · ${attemptWords(words, row.last_attempt)}`}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
