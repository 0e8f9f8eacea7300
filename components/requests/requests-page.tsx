"use client";

import { useTranslations } from "use-intl";
import { LookElsewhere } from "@/components/shell/look-elsewhere";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import { type RequestSummary, requestMethods, statusClasses } from "@/lib/resources/requests/contract";
import { type RequestFilter, useRequests } from "@/lib/resources/requests/queries";
import { addressOf, askedBy, duration, StatusPill, useClassLabels } from "./words";

const whose = ["keys", "people", "all"] as const;
type Whose = (typeof whose)[number];

interface Filter extends Pick<RequestFilter, "method" | "status" | "path" | "api_key_id" | "request_id" | "cursor"> {
  by?: Whose;
  [name: string]: string | undefined;
}

function readFilter(params: URLSearchParams): Filter {
  const { status, cursor } = readCommon(params, statusClasses);
  const method = requestMethods.find((known) => known === params.get("method"));
  const by = whose.find((known) => known === params.get("by"));
  const path = params.get("path")?.slice(0, 200).trim();
  const api_key_id = params.get("api_key_id")?.slice(0, 64);
  const request_id = params.get("request_id")?.slice(0, 64).trim();
  return {
    ...(method && { method }),
    ...(status && { status }),
    ...(path && { path }),
    ...(api_key_id && { api_key_id }),
    ...(request_id && { request_id }),
    ...(by && { by }),
    ...(cursor && { cursor }),
  };
}

/** What has been asked of the API; at first by systems alone, for the dashboard's own pages ask without end. */
export function RequestsPage() {
  const t = useTranslations("requests.page");
  const { filter, show } = useListAddress(readFilter);
  const { method, status, path, api_key_id, request_id, cursor } = filter;
  // Whoever has a request's id need not know who asked.
  const usual: Whose = request_id ? "all" : "keys";
  const by = filter.by ?? usual;
  const actor_type = by === "all" ? undefined : by === "people" ? "user" : "api_key";
  const requests = useRequests({ method, status, path, api_key_id, request_id, cursor, actor_type });
  const wide = useMedia("(min-width: 64rem)");
  const change = (next: Filter) => show({ ...filter, cursor: undefined, ...next }, "replace");
  const asked = [
    filter.by && `“${t(`whose.${filter.by}`)}”`,
    status && t("asked.status", { status }),
    method && t("asked.method", { method }),
    path && t("asked.path", { path }),
    api_key_id && t("asked.key"),
  ].filter((part) => !!part);
  const idAlone = request_id !== undefined && asked.length === 0;
  if (request_id && !idAlone) asked.push(t("asked.request", { id: request_id }));
  const List = wide ? RequestTable : RequestCards;
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      <div className="mb-4 grid gap-3">
        <StatusFilter labels={useClassLabels()} status={status} onChange={(next) => change({ status: next })} />
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:flex">
          <NativeSelect
            aria-label={t("madeBy")}
            className="min-w-0 lg:w-48"
            value={by}
            onChange={({ target }) => change({ by: target.value === usual ? undefined : (target.value as Whose) })}
          >
            {whose.map((value) => (
              <option key={value} value={value}>
                {t(`whose.${value}`)}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            aria-label={t("method")}
            className="min-w-0 lg:w-40"
            value={method ?? ""}
            onChange={({ target }) => change({ method: requestMethods.find((known) => known === target.value) })}
          >
            <option value="">{t("allMethods")}</option>
            {requestMethods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </NativeSelect>
          <Search
            label={t("search")}
            placeholder="/payment-links"
            q={path}
            onSearch={(next) => change({ path: next })}
          />
          <Search
            label={t("searchId")}
            placeholder="X-Request-Id"
            q={request_id}
            onSearch={(next) => show({ request_id: next }, "replace")}
          />
        </div>
      </div>
      <ListFrame
        rows={requests}
        of="requests"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          idAlone ? (
            <Notice
              title={t("noSuchId")}
              action={
                <LookElsewhere>
                  <Button variant="secondary" onClick={() => show({}, "replace")}>
                    {t("showAll")}
                  </Button>
                </LookElsewhere>
              }
            >
              {t("noSuchIdText")}
            </Notice>
          ) : (
            <Notice title={t("empty")} action={null}>
              {t("emptyText")}
            </Notice>
          )
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}

const pathLink = "font-mono text-sm text-kumo-strong row-link";

function RequestTable({ rows }: { rows: RequestSummary[] }) {
  const t = useTranslations("requests.page");
  const who = useTranslations("requests.who");
  return (
    <Table
      caption={t("list")}
      head={
        <>
          <Head className="w-24">{t("status")}</Head>
          <Head className="w-24">{t("method")}</Head>
          <Head>{t("path")}</Head>
          <Head className="w-48">{t("by")}</Head>
          <Head className="w-24 text-right">{t("took")}</Head>
          <Head className="w-36">{t("when")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <td className={cell}>
            <StatusPill status={row.status} />
          </td>
          <td className={`${cell} font-mono text-sm`}>{row.method}</td>
          <th scope="row" className={`${cell} text-left font-medium`} title={addressOf(row)}>
            <Link href={`/developers/requests/${row._id}`} className={pathLink}>
              {addressOf(row)}
            </Link>
          </th>
          <td className={`${cell} text-kumo-subtle`} title={askedBy(who, row)}>
            {askedBy(who, row)}
          </td>
          <td className={`${cell} text-right text-kumo-subtle tabular-nums`}>{duration(row)}</td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function RequestCards({ rows }: { rows: RequestSummary[] }) {
  const t = useTranslations("requests.page");
  const who = useTranslations("requests.who");
  return (
    <Cards label={t("list")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <div className="flex items-start justify-between gap-3">
            <h2 className="min-w-0 text-base font-medium">
              <Link href={`/developers/requests/${row._id}`} className={`${pathLink} wrap-anywhere`}>
                {row.method} {addressOf(row)}
              </Link>
            </h2>
            <StatusPill status={row.status} />
          </div>
          <p className="pb-1.5 text-sm text-kumo-subtle">
            <When at={row.created_at} /> · {askedBy(who, row)} · {duration(row)}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
