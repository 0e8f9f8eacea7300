"use client";

import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { Search } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import type { Event } from "@/lib/resources/events/contract";
import { type EventFilter, useEvents } from "@/lib/resources/events/queries";
import { readType, TypeFilter } from "./type-filter";
import { subjectOf } from "./words";

function readFilter(params: URLSearchParams): EventFilter {
  const { cursor } = readCommon(params, []);
  const type = readType(params.get("type"));
  const resource_id = params.get("resource_id")?.slice(0, 64).trim();
  return { ...(type && { type }), ...(resource_id && { resource_id }), ...(cursor && { cursor }) };
}

/** What has happened, newest first. */
export function EventsPage() {
  const t = useTranslations("events.page");
  const { filter, show } = useListAddress(readFilter);
  const { type, resource_id } = filter;
  const events = useEvents(filter);
  const wide = useMedia("(min-width: 64rem)");
  const asked = [type && t("asked.type", { type }), resource_id && t("asked.resource", { id: resource_id })].filter(
    (part) => !!part,
  );
  const List = wide ? EventTable : EventCards;
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <TypeFilter type={type} onChange={(next) => show({ type: next, resource_id }, "replace")} />
        <Search
          label={t("search")}
          placeholder={t("searchHint")}
          q={resource_id}
          onSearch={(next) => show({ type, resource_id: next }, "replace")}
        />
      </div>
      <ListFrame
        rows={events}
        of="events"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("empty")} action={null}>
            {t("emptyText")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}

const typeLink = "font-mono text-sm text-kumo-strong row-link";

function EventTable({ rows }: { rows: Event[] }) {
  const t = useTranslations("events.page");
  const actors = useTranslations("events.actor");
  return (
    <Table
      caption={t("list")}
      head={
        <>
          <Head className="w-72">{t("type")}</Head>
          <Head>{t("about")}</Head>
          <Head className="w-56">{t("by")}</Head>
          <Head className="w-36">{t("when")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link href={`/developers/events/${row._id}`} className={typeLink}>
              {row.type}
            </Link>
          </th>
          <td className={cell} title={subjectOf(row)}>
            {subjectOf(row)}
          </td>
          <td className={`${cell} text-kumo-subtle`}>{actors(row.actor.type)}</td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function EventCards({ rows }: { rows: Event[] }) {
  const t = useTranslations("events.page");
  const actors = useTranslations("events.actor");
  return (
    <Cards label={t("list")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="text-base font-medium">
            <Link href={`/developers/events/${row._id}`} className={`${typeLink} wrap-anywhere`}>
              {row.type}
            </Link>
          </h2>
          {subjectOf(row) && <p className="truncate text-base text-kumo-default">{subjectOf(row)}</p>}
          <p className="pb-1.5 text-sm text-kumo-subtle">
            <When at={row.created_at} /> · {actors(row.actor.type)}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
