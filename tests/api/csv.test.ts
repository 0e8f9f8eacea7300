import Papa from "papaparse";
import { beforeAll, expect, it } from "vitest";
import { batches, isTooLarge, parseText, toRow } from "@/components/payment-links/import-file";
import { db } from "@/lib/core/db";
import { customerColumns } from "@/lib/resources/customers/contract";
import { disputeColumns } from "@/lib/resources/disputes/contract";
import { paymentColumns } from "@/lib/resources/payments/contract";
import { refundColumns } from "@/lib/resources/refunds/contract";
import { subscriptionColumns } from "@/lib/resources/subscriptions/contract";
import { tokenizationColumns } from "@/lib/resources/tokenizations/contract";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { insertDispute, insertRefund } from "@/tests/support/paid";
import { payloads } from "@/tests/support/payloads";
import { create, savedCard } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const link = (over: Record<string, unknown> = {}) => ({
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  ...over,
});

const parse = (text: string) => Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
const countOf = (reference: string) => db.paymentLink.count({ where: { business_id: merchant.businessId, reference } });

async function importRows(file: string, rows: Record<string, unknown>[], more: Record<string, unknown> = {}) {
  const reply = await call("POST", "/payment-links/import", { key: merchant.key, body: { file, rows, ...more } });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data as unknown as {
    counts: Record<string, number>;
    rows: {
      row: number | null;
      status: string;
      payment_link_id: string | null;
      errors: Record<string, string[]> | null;
    }[];
  };
}

it("exports all filtered rows, with the same total as the list", async () => {
  const owner = await createMerchant("Exporter");
  const amounts = Array.from({ length: 2_150 }, (_, n) => 500 + n);
  await db.paymentLink.createMany({
    data: amounts.map((amount_cents, n) => ({
      id: `pl_${String(n).padStart(36, "0")}`,
      business_id: owner.businessId,
      livemode: false,
      email: n % 2 ? "grace@example.com" : "ada@example.com",
      currency: "EUR",
      amount_cents,
      title: `Order ${n}`,
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000),
    })),
  });
  const all = await call("GET", "/payment-links/export", { key: owner.key });
  expect(all.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(all.headers.get("content-disposition")).toBe("attachment");
  const rows = parse(all.text);
  expect(rows.length).toBe(2_150);
  expect(new Set(rows.map((row) => row._id)).size).toBe(2_150);
  expect(rows.reduce((sum, row) => sum + Number(row.amount_cents), 0)).toBe(amounts.reduce((a, b) => a + b, 0));
  expect(rows.every((row) => Math.round(Number(row.amount) * 100) === Number(row.amount_cents))).toBe(true);
  const some = await call("GET", "/payment-links/export?email=grace%40example.com&sort=created_at", { key: owner.key });
  const list = await call("GET", "/payment-links?email=grace%40example.com&with_total=true", { key: owner.key });
  expect(parse(some.text).length).toBe(list.json.meta.total);
  expect(parse(some.text)[0]?.title).toBe("Order 1");
  const paged = await call("GET", "/payment-links/export?cursor=x", { key: owner.key });
  expect(paged.status).toBe(422);
});

it("writes texts that read back unchanged and that no spreadsheet executes (RFC 4180, formula injection)", async () => {
  const owner = await createMerchant("Quoter");
  const formulas = [
    "=1+1",
    "+49 1555",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    '"=1',
    "'=1",
    "＝1",
    "\u202e=1",
    "\ufeff=1",
  ];
  const others = [
    'say "hi"',
    "a,b;c",
    "a;=1+1",
    "two\n=lines",
    "Käse 🧀",
    "O'Brien",
    ...payloads.map((one) => one.slice(0, 50)),
  ];
  const titles = [...formulas, ...others];
  for (const title of titles)
    expect((await call("POST", "/payment-links", { key: owner.key, body: link({ title }) })).status).toBe(200);
  const reply = await call("GET", "/payment-links/export?sort=created_at&bom=true", { key: owner.key });
  const bytes = new Uint8Array(
    await (
      await fetch(`${baseUrl()}/api/payment-links/export?bom=true`, {
        headers: { Authorization: `Bearer ${owner.key}` },
      })
    ).arrayBuffer(),
  );
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  for (const cell of parse(reply.text.replace(/^\ufeff/, "")).flatMap((row) => Object.values(row)))
    for (const part of cell.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^[\s\p{C}"]*[=+\-@＝＋－＠]/u);
  // Parsed like the import page does, imported and exported again: the texts are unchanged.
  const rows = parseText(reply.text).rows;
  expect(rows.map(({ cells }) => cells.title)).toEqual(titles);
  const other = await createMerchant("Importer");
  for (const [index, batch] of batches(rows.map((row) => toRow(row, false))).entries()) {
    const body = { file: `again-${index}`, rows: batch };
    const { json, text } = await call("POST", "/payment-links/import", { key: other.key, body });
    expect(json.data.counts, text).toMatchObject({ created: batch.length });
  }
  const again = await call("GET", "/payment-links/export?sort=created_at", { key: other.key });
  expect(parseText(again.text).rows.map(({ cells }) => cells.title)).toEqual(titles);
  const nul = await call("POST", "/payment-links", { key: owner.key, body: link({ title: "=\u0000" }) });
  expect(nul.status, "NUL").toBe(400);
});

it("exports the other lists with their filters, without secrets, and disarmed", async () => {
  const owner = await createMerchant("Lister");
  const { key } = owner;
  const token = await savedCard(key);
  await insertRefund({ _id: await create(key, "payment_links", { title: "=2+2" }) });
  const paid = await create(key, "payment_links", { title: "=1+1", amount: "1250" });
  await insertDispute({ _id: paid });
  await create(key, "payment_links", { email: "grace@example.com" });
  await create(key, "subscriptions");
  const files: [string, readonly string[], query: string, title: string | undefined][] = [
    ["payments", paymentColumns, "status=succeeded", "'=1+1"],
    ["payments", paymentColumns, "q=12.50", "'=1+1"],
    ["payments", paymentColumns, "amount_from=1251", undefined],
    ["refunds", refundColumns, "status=succeeded", "'=2+2"],
    ["refunds", refundColumns, "amount_from=2000", undefined],
    ["disputes", disputeColumns, "status=needs_response", "'=1+1"],
    ["subscriptions", subscriptionColumns, "status=created", undefined],
    ["tokenizations", tokenizationColumns, "status=active", "Card on file"],
    ["customers", customerColumns, "q=gr", undefined],
  ];
  for (const [list, columns, query, title] of files) {
    const { text, status } = await call("GET", `/${list}/export?${query}`, { key });
    expect(status, text).toBe(200);
    const rows = parse(text);
    expect(text.split("\r\n")[0]).toBe(columns.map((name) => name.replace(".", "_")).join(","));
    const own = await call("GET", `/${list}?${query}`, { key });
    expect(rows.map(({ _id, email }) => _id ?? email)).toEqual(own.json.data.map(({ _id }) => _id));
    expect(rows[0]?.title).toBe(title);
    expect(text).not.toContain(token);
    expect(text).not.toContain("/activate/");
  }
  const [payment] = parse((await call("GET", "/payments/export", { key })).text);
  expect(payment).toMatchObject({ amount: "12.5", amount_cents: "1250", currency: "EUR", email: "ada@example.com" });
  const [card] = parse((await call("GET", "/tokenizations/export", { key })).text);
  expect(card).toMatchObject({ card_brand: "visa", card_last4: "4242", status: "active" });
  for (const list of ["payments", "refunds", "disputes", "subscriptions", "tokenizations", "payment-links"]) {
    const rowsFor = async (by: string) =>
      parse((await call("GET", `/${list}/export?sort=created_at`, { key: by })).text);
    const nameIn = (rows: Record<string, string>[]) => rows[0]?.customer_name;
    const email = (await rowsFor(key))[0]?.email;
    const named = await call("PUT", `/customers/${email}`, { key, body: { name: "=Ada" } });
    expect(named.status, named.text).toBe(200);
    expect(nameIn(await rowsFor(key)), list).toBe("'=Ada");
    const blind = await createKey(owner, [`${list.replace("-", "_")}:read`]);
    expect(nameIn(await rowsFor(blind)), list).toBe("");
  }
  await create(key, "payment_links", { email: "unnamed@example.com" });
  const [unnamed] = parse((await call("GET", "/payment-links/export", { key })).text);
  expect(unnamed).toMatchObject({ email: "unnamed@example.com", customer_name: "" });
  const log = await db.auditEntry.findMany({ where: { business_id: owner.businessId, action: "payments.exported" } });
  expect(log.map(({ after }) => after)).toContainEqual({ filters: { sort: "-created_at", status: "succeeded" } });
});

it("validates rows without creating anything, with the errors of a single 422", async () => {
  const rows = [
    { row: 2, ...link({ reference: "dry" }) },
    { row: 3, ...link({ reference: "dry", amount: "499", email: "nobody" }) },
    { row: 4, currency: "EUR" },
    { row: "x", ...link() },
    { row: 6, ...link({ currency: "JPY", amount: "1050" }) },
  ];
  const { counts, rows: answers } = await importRows("dry.csv", rows, { dry_run: true });
  expect(counts).toEqual({ valid: 1, created: 0, already_created: 0, invalid: 4 });
  const single = await call("POST", "/payment-links", { key: merchant.key, body: rows[1] });
  expect(answers[1]?.errors).toEqual(single.json.errors);
  expect(answers[2]?.errors).toEqual({
    email: ["The email field is required."],
    amount: ["The amount field is required."],
    title: ["The title field is required."],
  });
  expect(answers[3]).toMatchObject({ row: null, status: "invalid" });
  expect(await countOf("dry")).toBe(0);
});

it("imports two files with the same new payers in another order at once", async () => {
  const owner = await createMerchant("Two imports");
  const rows = Array.from({ length: 100 }, (_, n) => link({ email: `payer${n}@example.com`, send_email: false }));
  /** One waits for the other's new payers. On a busy machine it gets a 503 and is repeated; a deadlock would be a 500. */
  const send = async (file: string, from: object[]): Promise<Reply> => {
    const reply = await call("POST", "/payment-links/import", {
      key: owner.key,
      headers: { "Idempotency-Key": file },
      body: { file, rows: from.map((row, n) => ({ ...row, row: n + 1 })) },
    });
    return reply.status === 503 ? send(file, from) : reply;
  };
  const replies = await Promise.all([send("one.csv", rows), send("other.csv", rows.toReversed())]);
  for (const { status, text, json } of replies) {
    expect(status, text).toBe(200);
    expect(json.data.counts).toMatchObject({ created: 100 });
  }
  expect(await db.customer.count({ where: { business_id: owner.businessId } })).toBe(100);
});

it("refuses a row whose two amounts differ", async () => {
  const owner = await createMerchant("Two amounts");
  for (const title of ["One", "Two", "Three", "Four", "Five"])
    await call("POST", "/payment-links", { key: owner.key, body: link({ title, send_email: false }) });
  const exported = (await call("GET", "/payment-links/export?sort=created_at", { key: owner.key })).text;
  const file = parseText(exported);
  const changed: Record<string, string>[] = [
    { amount: "20.00" },
    { amount_cents: "2000" },
    { amount: "20,00", amount_cents: "" },
    { amount: "", amount_cents: "3000" },
    { amount: "10. Mai" },
  ];
  const rows = file.rows.map(({ row, cells }, n) => toRow({ row, cells: { ...cells, ...changed[n] } }, false));
  const differ = ["The amount and the amount_cents must be the same: correct the wrong one, or leave it empty."];
  const answered = await importRows("changed.csv", rows, { dry_run: true });
  expect(answered.rows.map(({ status, errors }) => [status, errors])).toEqual([
    ["invalid", { amount_cents: differ }],
    ["invalid", { amount_cents: differ }],
    ["valid", null],
    ["valid", null],
    ["invalid", { amount: ["The amount must be an integer."], amount_cents: differ }],
  ]);
  const made = await importRows("changed.csv", rows);
  expect(made.counts).toMatchObject({ created: 2, invalid: 3 });
  const ids = made.rows.flatMap(({ payment_link_id }) => payment_link_id ?? []);
  const links = await db.paymentLink.findMany({ where: { id: { in: ids } }, orderBy: { created_at: "asc" } });
  expect(links.map(({ title, amount_cents }) => [title, amount_cents])).toEqual([
    ["Three", 2000],
    ["Four", 3000],
  ]);
});

it("refuses a second amount that is not a number", async () => {
  for (const amount_cents of [{}, [1050], { toString: null }, { valueOf: 1, toString: 1 }, true, "1050.0", "0x41a"]) {
    const { rows } = await importRows("odd.csv", [{ row: 2, ...link({ amount_cents }) }], { dry_run: true });
    expect([rows[0]?.status, Object.keys(rows[0]?.errors ?? {})]).toEqual(["invalid", ["amount_cents"]]);
  }
});

it("creates each row of a file once, even for repeated and simultaneous requests", async () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({
    row: n + 2,
    ...link({ reference: "once", title: `Order ${n}` }),
  }));
  // An import that stopped after some rows; then three resume at once.
  expect((await importRows("once.csv", rows.slice(0, 15))).counts).toMatchObject({ created: 15 });
  const again = await Promise.all([1, 2, 3].map(() => importRows("once.csv", rows)));
  expect(again.reduce((sum, { counts }) => sum + (counts.created ?? 0), 0)).toBe(25);
  expect(await countOf("once")).toBe(40);
  const ids = again.map(({ rows }) => rows.map(({ payment_link_id }) => payment_link_id).join());
  expect(new Set(ids).size).toBe(1);
  // Another file or another business creates its own rows.
  expect((await importRows("another.csv", rows.slice(0, 1))).counts).toMatchObject({ created: 1 });
  const stranger = await createMerchant("Another importer");
  const theirs = await call("POST", "/payment-links/import", { key: stranger.key, body: { file: "once.csv", rows } });
  expect(theirs.json.data.counts).toMatchObject({ created: 40 });
});

it("names the items of an import that are no rows", async () => {
  const body = { file: "items.csv", rows: [{ row: 1, ...link() }, "a", { row: 3, ...link() }, null] };
  const { status, json } = await call("POST", "/payment-links/import", { key: merchant.key, body });
  expect([status, json.errors]).toEqual([
    422,
    { rows: ["The rows must be objects: item 2 is not.", "The rows must be objects: item 4 is not."] },
  ]);
});

it("creates the valid rows beside invalid ones, at most a hundred per request", async () => {
  const { counts } = await importRows("mixed.csv", [
    { row: 1, ...link({ reference: "mixed" }) },
    { row: 2, ...link({ reference: "mixed", title: "" }) },
    { row: 3, ...link({ reference: "mixed", business_id: 1, status: "Paid" }) },
  ]);
  expect(counts).toEqual({ valid: 0, created: 2, already_created: 0, invalid: 1 });
  const rows = Array.from({ length: 101 }, (_, n) => ({ row: n + 1, ...link() }));
  const refused = await call("POST", "/payment-links/import", { key: merchant.key, body: { file: "f", rows } });
  expect(refused.json.errors).toEqual({ rows: ["The rows must not have more than 100 items."] });
  const wrong = await call("POST", "/payment-links/import", { key: merchant.key, body: { file: "f", rows: "x" } });
  expect(wrong.json.errors).toEqual({ rows: ["The rows must be an array."] });
});

it("names the limit of a long cell, and does not let a long row block the others", async () => {
  const cells = (over: Record<string, string>) => ({ ...link({ amount: "10.50" }), ...over }) as Record<string, string>;
  const emojis = "🧀".repeat(70_000);
  const longest = "\u0001".repeat(5_000);
  const rows = [
    cells({ notes: "🧀".repeat(5_000) }),
    cells({ description: "x".repeat(70_000), title: emojis }),
    cells({ notes: emojis }),
    cells({ metadata: JSON.stringify({ a: "x".repeat(50_000) }) }),
    cells({ metadata: JSON.stringify({ a: emojis }) }),
    cells({ title: longest, notes: longest, description: longest }),
    cells({}),
  ];
  const all = batches(rows.map((row, n) => toRow({ row: n + 2, cells: row }, false)));
  expect(all.filter(isTooLarge).map((batch) => batch.map(({ row }) => row))).toEqual([[6], [7]]);
  const sent = all.filter((batch) => !isTooLarge(batch));
  const results = [];
  for (const batch of sent) results.push(...(await importRows("long.csv", batch, { dry_run: true })).rows);
  expect(results.map(({ row, errors }) => [row, errors])).toEqual([
    [2, null],
    [
      3,
      {
        title: ["The title must not be greater than 50 characters."],
        description: ["The description must not be greater than 2000 characters."],
      },
    ],
    [4, { notes: ["The notes must not be greater than 5000 characters."] }],
    [5, { metadata: [expect.stringContaining("500")] }],
    [8, null],
  ]);
});

it("PUT with If-Match refuses the second of two concurrent changes of a link", async () => {
  const { data } = (await call("POST", "/payment-links", { key: merchant.key, body: link() })).json;
  const path = `/payment-links/${data._id}`;
  const change = (title: string, readAt?: string) =>
    call("PUT", path, { key: merchant.key, body: link({ title }), headers: { "If-Match": readAt } });
  const both = await Promise.all([
    change("First", `"${data.updated_at}"`),
    change("Second", data.updated_at), // with and without quotes
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const refused = both.find(({ status }) => status === 412);
  expect(refused?.json).toEqual({
    message: "This has changed since you loaded it. Check the current version before you change it.",
    code: "precondition_failed",
  });
  const now = (await call("GET", path, { key: merchant.key })).json.data;
  expect((await change("Third", `"${now.updated_at}"`)).status).toBe(200);
  expect((await change("Fourth", "*")).status).toBe(200);
  expect((await change("Fifth")).status).toBe(200);
});
