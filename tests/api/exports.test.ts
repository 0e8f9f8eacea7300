import Papa from "papaparse";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { auditColumns } from "@/lib/resources/audit-log/contract";
import { emailColumns } from "@/lib/resources/emails/contract";
import { eventColumns } from "@/lib/resources/events/contract";
import { packageColumns } from "@/lib/resources/packages/contract";
import { payoutColumns } from "@/lib/resources/payouts/contract";
import { requestColumns } from "@/lib/resources/requests/contract";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertPayout } from "@/tests/support/paid";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
let payUrl: string;
beforeAll(async () => {
  merchant = await createMerchant();
  const { key } = merchant;
  await create(key, "packages", { name: "=1+1", metadata: { shelf: "B-7", order: ";=2+2" } });
  await create(key, "packages", { name: "Newspaper", currency: "USD" });
  const link = await create(key, "payment_links", { email: "ada@example.com" });
  await create(key, "payment_links", { email: "grace@example.com" });
  await insertPayout({ _id: link });
  const { data } = (await call("GET", `/payment-links/${link}`, { key })).json;
  payUrl = String(data.payment_url);
  expect((await call("GET", "/payment-links/export?status=Active", { key })).status).toBe(200);
  const stranger = await createMerchant("Stranger");
  await create(stranger.key, "packages");
});

const fileOf = async (path: string) => {
  const { text, status, headers } = await call("GET", path, { key: merchant.key });
  expect(status, text).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const [head = ""] = text.split("\r\n");
  const rows = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
  return { head, rows, text };
};

it.each([
  ["packages", packageColumns, "currency=EUR", 1],
  ["packages", packageColumns, "metadata[shelf]=B-8", 0],
  ["payouts", payoutColumns, "status=paid", 1],
  ["emails", emailColumns, "to=ada@example.com", 1],
  ["events", eventColumns, "type=payment_link.created", 2],
  ["requests", requestColumns, "method=POST&path=/packages", 2],
  ["audit-log", auditColumns, "action=payment_links.exported", 1],
] as const)("%s: the file has the rows that the list's filters find", async (list, columns, query, count) => {
  const rowsOf = async () => (await call("GET", `/${list}?${query}&sort=created_at`, { key: merchant.key })).json.data;
  // A request appears in the request log about a second after its response.
  await expect.poll(rowsOf, { timeout: 10_000 }).toHaveLength(count);
  const { head, rows, text } = await fileOf(`/${list}/export?${query}&sort=created_at`);
  expect(head).toBe(columns.map((name) => name.replace(".", "_")).join(","));
  expect(rows.map(({ _id }) => _id)).toEqual((await rowsOf()).map(({ _id }) => _id));
  expect(text).not.toContain(payUrl);
  const action = `${list.replace("-", "_")}.exported`;
  const entry = await db.auditEntry.findFirst({
    where: { business_id: merchant.businessId, action },
    orderBy: { created_at: "desc" },
  });
  const [name = "", value] = query.split(/[&=]/);
  const filter = name.startsWith("metadata") ? { metadata: { shelf: value } } : { [name]: value };
  expect(entry?.after).toMatchObject({ filters: filter });
});

it("files have the fields of the rows, with formulas disarmed", async () => {
  const [club] = (await fileOf("/packages/export?currency=EUR")).rows;
  expect(club).toMatchObject({
    name: "'=1+1",
    amount: "15",
    amount_cents: "1500",
    metadata: '{"order":";\'=2+2","shelf":"B-7"}',
  });
  const [payout] = (await fileOf("/payouts/export")).rows;
  expect(payout).toMatchObject({ status: "paid", amount: "10.5", currency: "EUR", totals: "[]" });
  const [mail] = (await fileOf("/emails/export?to=ada@example.com")).rows;
  expect(mail).toMatchObject({
    template: "payment_link",
    status: "outbox",
    subject: expect.stringContaining("€10.50"),
  });
  const [event] = (await fileOf("/events/export?type=package.created&sort=created_at")).rows;
  expect(event).toMatchObject({ actor_type: "api_key", sequence: "1", resource_id: club?._id });
  const { rows: requests } = await fileOf("/requests/export?method=POST&path=/packages");
  expect(requests[0]).toMatchObject({ path: "/packages", status: "200", actor_type: "api_key" });
  const [entry] = (await fileOf("/audit-log/export?action=payment_links.exported")).rows;
  expect(entry).toMatchObject({ livemode: "false", actor_type: "api_key", after: expect.stringContaining('"Active"') });
});

it.each(["packages", "payouts", "emails", "events", "requests", "audit-log"])(
  "%s: the export needs the scope of the list, and refuses per_page",
  async (list) => {
    const other = await createKey(merchant, ["refunds:read"]);
    expect((await call("GET", `/${list}/export`, { key: other })).status).toBe(403);
    expect((await call("GET", `/${list}/export?per_page=5`, { key: merchant.key })).status).toBe(422);
  },
);

it("a query that the list refuses is refused for the file, too, and is not recorded as an export", async () => {
  const query = "q=ada&sort=email";
  const where = { business_id: merchant.businessId, action: "customers.exported" };
  const recorded = () => db.auditEntry.count({ where });
  const before = await recorded();
  const [list, file] = await Promise.all(
    ["customers", "customers/export"].map((path) => call("GET", `/${path}?${query}`, { key: merchant.key })),
  );
  expect([file?.status, file?.json.errors]).toEqual([
    422,
    { sort: ["With these filters, customers are sorted by created_at."] },
  ]);
  expect(file?.json.errors).toEqual(list?.json.errors);
  expect(await recorded()).toBe(before);
  expect((await call("GET", "/customers/export", { key: merchant.key })).status).toBe(200);
  expect(await recorded()).toBe(before + 1);
});
