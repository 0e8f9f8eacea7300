"use client";

import Link from "next/link";
import { Search, StatusFilter } from "@/components/shell/list/filters";
import { ListFrame } from "@/components/shell/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/shell/list/table";
import { readCommon, useListAddress } from "@/components/shell/list/use-list-address";
import { NativeSelect } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { When } from "@/components/ui/when";
import { type RequestSummary, requestMethods, statusClasses } from "@/lib/requests/contract";
import { type RequestFilter, useRequests } from "@/lib/requests/queries";
import { addressOf, askedBy, classLabels, duration, StatusPill } from "./words";

const whose = { keys: "By your systems", people: "In the dashboard", all: "By anybody" } as const;
type Whose = keyof typeof whose;

interface Filter extends Pick<RequestFilter, "method" | "status" | "path" | "api_key_id" | "cursor"> {
  by?: Whose;
  [name: string]: string | undefined;
}

function readFilter(params: URLSearchParams): Filter {
  const { status, cursor } = readCommon(params, statusClasses);
  const method = requestMethods.find((known) => known === params.get("method"));
  const by = (Object.keys(whose) as Whose[]).find((known) => known === params.get("by"));
  const path = params.get("path")?.slice(0, 200).trim();
  const api_key_id = params.get("api_key_id")?.slice(0, 64);
  return {
    ...(method && { method }),
    ...(status && { status }),
    ...(path && { path }),
    ...(api_key_id && { api_key_id }),
    ...(by && { by }),
    ...(cursor && { cursor }),
  };
}

/** What has been asked of the API; at first by systems alone, for the dashboard's own pages ask without end. */
export function RequestsPage() {
  const { filter, show } = useListAddress(readFilter);
  const { by = "keys", method, status, path, api_key_id, cursor } = filter;
  const actor_type = by === "all" ? undefined : by === "people" ? "user" : "api_key";
  const requests = useRequests({ method, status, path, api_key_id, cursor, actor_type });
  const wide = useMedia("(min-width: 64rem)");
  const change = (next: Filter) => show({ ...filter, cursor: undefined, ...next }, "replace");
  const asked = [
    filter.by && `“${whose[filter.by]}”`,
    status && `a status of ${status}`,
    method && `the method ${method}`,
    path && `a path that begins with ${path}`,
    api_key_id && "this key",
  ].filter((part) => !!part);
  const List = wide ? RequestTable : RequestCards;
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">Requests</h1>
      <div className="mb-4 grid gap-3">
        <StatusFilter labels={classLabels} status={status} onChange={(next) => change({ status: next })} />
        <div className="flex flex-col gap-3 sm:flex-row">
          <NativeSelect
            aria-label="Made by"
            className="min-w-0 sm:w-48"
            value={by}
            onChange={({ target }) => change({ by: target.value === "keys" ? undefined : (target.value as Whose) })}
          >
            {Object.entries(whose).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            aria-label="Method"
            className="min-w-0 sm:w-40"
            value={method ?? ""}
            onChange={({ target }) => change({ method: requestMethods.find((known) => known === target.value) })}
          >
            <option value="">All methods</option>
            {requestMethods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </NativeSelect>
          <Search
            label="Find by the beginning of the path"
            placeholder="/payment-links"
            q={path}
            onSearch={(next) => change({ path: next })}
          />
        </div>
      </div>
      <ListFrame
        rows={requests}
        nouns={["request", "requests"]}
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title="No requests yet" action={null}>
            What your systems ask of the API is kept here for seven days, without secrets, a second after the answer.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}

const pathLink = "font-mono text-sm text-kumo-strong underline-offset-4 hover:underline";

function RequestTable({ rows }: { rows: RequestSummary[] }) {
  return (
    <Table
      caption="Requests, newest first"
      head={
        <>
          <Head className="w-24">Status</Head>
          <Head className="w-24">Method</Head>
          <Head>Path</Head>
          <Head className="w-48">By</Head>
          <Head className="w-24 text-right">Took</Head>
          <Head className="w-36">When</Head>
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
          <td className={`${cell} text-kumo-subtle`} title={askedBy(row)}>
            {askedBy(row)}
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
  return (
    <Cards label="Requests, newest first">
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
            <When at={row.created_at} /> · {askedBy(row)} · {duration(row)}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
