"use client";

import { useState } from "react";
import { readType, TypeFilter } from "@/components/events/type-filter";
import { StatusFilter } from "@/components/shell/list/filters";
import { ListFrame } from "@/components/shell/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/shell/list/table";
import { readCommon, useListAddress } from "@/components/shell/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import { deliveryStatuses, type WebhookDelivery, type WebhookEndpoint } from "@/lib/webhooks/contract";
import { type DeliveryFilter, useDeliveries } from "@/lib/webhooks/queries";
import { DeliveryDetail } from "./delivery-detail";
import { attemptWords, DeliveryBadge, deliveryLabels } from "./words";

function readFilter(params: URLSearchParams): DeliveryFilter {
  const { status, cursor } = readCommon(params, deliveryStatuses);
  const type = readType(params.get("type"));
  return { ...(status && { status }), ...(type && { type }), ...(cursor && { cursor }) };
}

/** What was delivered to an endpoint, or is to be. */
export function Deliveries({ endpoint, canWrite }: { endpoint: WebhookEndpoint; canWrite: boolean }) {
  const { filter, show } = useListAddress(readFilter);
  const { status, type } = filter;
  const deliveries = useDeliveries(endpoint._id, filter);
  const wide = useMedia("(min-width: 64rem)");
  const [shown, setShown] = useState<string | null>(null);
  const asked = [status && `the status ${deliveryLabels[status]}`, type && `the type ${type}`].filter((part) => !!part);
  const List = wide ? DeliveryTable : DeliveryCards;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-[15px] font-semibold text-kumo-strong">
        Deliveries
      </h2>
      <div className="flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter
          labels={deliveryLabels}
          status={status}
          onChange={(next) => show({ status: next, type }, "replace")}
        />
        <TypeFilter type={type} onChange={(next) => show({ status, type: next }, "replace")} />
      </div>
      <ListFrame
        rows={deliveries}
        nouns={["delivery", "deliveries"]}
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title="Nothing was sent yet" action={null}>
            Each event from now on is delivered here. Send a sample to see whether your receiver takes it.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} onOpen={setShown} />}
      </ListFrame>
      <Sheet open={shown !== null} onOpenChange={() => setShown(null)} title="Delivery">
        {shown && <DeliveryDetail id={shown} canRedeliver={canWrite && endpoint.status === "enabled"} />}
      </Sheet>
    </section>
  );
}

interface ListProps {
  rows: WebhookDelivery[];
  onOpen: (id: string) => void;
}

function TypeButton({ row, onOpen }: { row: WebhookDelivery; onOpen: ListProps["onOpen"] }) {
  return (
    <button
      type="button"
      onClick={() => onOpen(row._id)}
      className="text-left font-mono text-sm font-medium text-kumo-strong underline-offset-4 wrap-anywhere hover:underline"
    >
      {row.type}
      {row.sample && <span className="font-sans font-normal text-kumo-subtle"> (sample)</span>}
    </button>
  );
}

function DeliveryTable({ rows, onOpen }: ListProps) {
  return (
    <Table
      caption="Deliveries, newest first"
      head={
        <>
          <Head className="w-80">Event</Head>
          <Head className="w-32">Status</Head>
          <Head>Last attempt</Head>
          <Head className="w-24 !text-right">Attempts</Head>
          <Head className="w-36">Created</Head>
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
          <td className={`${cell} text-kumo-subtle`} title={row.last_attempt ? attemptWords(row.last_attempt) : ""}>
            {row.last_attempt ? attemptWords(row.last_attempt) : "None yet"}
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
  return (
    <Cards label="Deliveries, newest first">
      {rows.map((row) => (
        <Card key={row._id}>
          <div className="flex items-start justify-between gap-3">
            <TypeButton row={row} onOpen={onOpen} />
            <DeliveryBadge status={row.status} />
          </div>
          <p className="pb-1.5 text-sm text-kumo-subtle">
            <When at={row.created_at} />
            {row.last_attempt && ` · ${attemptWords(row.last_attempt)}`}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
