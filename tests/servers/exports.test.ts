import { randomBytes } from "node:crypto";
import Papa from "papaparse";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";

// A database of its own: these tests lock and change its tables.
let server: Launched;
let owner: Client;
let key: string;
beforeAll(async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings); // before the first query
  server = await launch({ ...settings, LOG_LEVEL: "fatal" }, paydeskWeb);
  process.env.TEST_URL = server.url;
  owner = new Client({ connectionString: ownerUrl(settings.DATABASE_URL) });
  await owner.connect();
  ({ key } = await createMerchant());
  await create(key, "subscriptions");
});
afterAll(async () => {
  await owner.end();
  await server.stop();
});

async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await owner.query(`BEGIN; LOCK TABLE ${table}`);
  try {
    return await work();
  } finally {
    await owner.query("ROLLBACK");
  }
}

const rowsOf = (text: string) => Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;

it.each([
  ["/payment-links/export", "payment_link", "payment_links.exported"],
  ["/reports/export", "posting", "reports.exported"],
])("%s: answers 503 if its first rows cannot be read, and records no export", async (path, table, action) => {
  const recorded = () => db.auditEntry.count({ where: { action } });
  const before = await recorded();
  const { status, headers, json } = await whileLocked(table, () => call("GET", path, { key }));
  expect([status, headers.get("retry-after"), json.code]).toEqual([503, "1", "service_unavailable"]);
  expect(await recorded()).toBe(before);
  expect((await call("GET", path, { key })).status).toBe(200);
  expect(await recorded()).toBe(before + 1);
});

it("a file of subscriptions is made without their payment links", async () => {
  const { status, text } = await whileLocked("payment_link", () => call("GET", "/subscriptions/export", { key }));
  expect([status, rowsOf(text)]).toMatchObject([200, [{ status: "created", package_name: "Reading club" }]]);
});

it("a file of events is made without their data", async () => {
  await owner.query("ALTER TABLE event RENAME data TO other_data");
  const { status, text } = await call("GET", "/events/export?sort=created_at", { key }).finally(() =>
    owner.query("ALTER TABLE event RENAME other_data TO data"),
  );
  expect([status, rowsOf(text).map(({ type }) => type)]).toEqual([200, ["package.created", "subscription.created"]]);
});
