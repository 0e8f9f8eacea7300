import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { anchors, documents } from "@/tests/docs/markdown";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort, type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { metricsAt } from "@/tests/support/metrics";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { hasPromtool, promtool } from "@/tests/support/promtool";
import { type Receiver, startReceiver } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { manyMails, startSmtp } from "@/tests/support/smtp";
import { createEndpoint } from "@/tests/support/webhooks";

let settings: Record<string, string>;
let metrics: Awaited<ReturnType<typeof metricsAt>>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let receiver: Receiver;
let server: Launched;
let merchant: Merchant;
let email: string;
let link: string;

beforeAll(async () => {
  [metrics, smtp, receiver] = await Promise.all([metricsAt(), startSmtp(), startReceiver()]);
  const DATABASE_URL = await createDatabase();
  settings = {
    DATABASE_URL,
    DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL),
    APP_SECRET: randomBytes(32).toString("base64url"),
    ...manyMails,
    SMTP_URL: smtp.url,
    MAIL_FROM: "desk@paydesk.example",
  };
  server = await launch({ ...settings, ...metrics.settings });
  Object.assign(process.env, settings, { TEST_URL: server.url }); // before the first query
  merchant = await createMerchant();
  await createEndpoint(merchant, receiver.url);
  email = `${newId("eml")}@example.com`;
  link = await create(merchant.key, "payment_links", { email });
  await payAt(`/pay?id=${link}`);
  await create(merchant.liveKey, "payment_links", { email, send_email: true });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([smtp.stop(), receiver.stop()]);
});

const current = async (name: string, labels: Record<string, string> = {}) =>
  (await metrics.scrape()).value(name, labels);

it("counts requests by the pattern of their route, and unknown paths together", async () => {
  const before = await metrics.scrape();
  const count = async (labels: Record<string, string>) =>
    ((await current("paydesk_http_requests_total", labels)) ?? 0) -
    (before.value("paydesk_http_requests_total", labels) ?? 0);
  for (const id of ["pl_1", "pl_2", link]) await call("GET", `/payment-links/${id}`, { key: merchant.key });
  for (const path of ["/secret-1/here", "/api/nothing", "/%E0%A4%A", "/metrics"]) await fetch(`${server.url}${path}`);
  const route = "/api/payment-links/[id]";
  await expect.poll(() => count({ route, method: "GET", status: "2xx" })).toBe(1);
  expect(await count({ route, method: "GET", status: "4xx" })).toBe(2);
  await expect.poll(() => count({ route: "unmatched", status: "4xx" })).toBe(4);
  const after = await metrics.scrape();
  expect(after.value("paydesk_http_request_duration_seconds_count", { route, method: "GET" })).toBeGreaterThanOrEqual(
    3,
  );
  expect(after.value("paydesk_http_requests_in_flight")).toBe(0);
});

it("has no id, address, key or amount in any label", async () => {
  const { text, samples } = await metrics.scrape();
  for (const secret of [email, link, merchant.key, merchant.liveKey, settings.APP_SECRET ?? "", "secret-1"])
    expect(text).not.toContain(secret);
  const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
  expect([...values].filter((value) => /@|\b(pl|pay|evt|usr|sub|we|whd)_\w{6}|^\d{4,}$/.test(value))).toEqual([]);
});

it("counts deliveries, mails, calls of gateways, and the worker's regular work", async () => {
  await expect.poll(() => current("paydesk_webhook_attempts_total", { outcome: "delivered" })).toBeGreaterThan(0);
  await expect
    .poll(() => current("paydesk_mails_total", { template: "payment_link", outcome: "sent" }))
    .toBeGreaterThan(0);
  expect(
    await current("paydesk_gateway_calls_total", { gateway: "sandbox", call: "pay", outcome: "succeeded" }),
  ).toBeGreaterThan(0);
  expect(await current("paydesk_poll_runs_total", { poll: "sweep payments", outcome: "ok" })).toBeGreaterThan(0);
  receiver.answer = (_, response) => response.writeHead(500).end();
  await create(merchant.key, "payment_links", {});
  await expect.poll(() => current("paydesk_webhook_attempts_total", { outcome: "refused" })).toBeGreaterThan(0);
});

it("tells a refused recipient from a mail server that refuses every mail", async () => {
  const at = (what: "worked" | "failed") => current(`paydesk_mail_server_${what}_timestamp_seconds`);
  const tried = (outcome: string) => current("paydesk_mails_total", { template: "payment_link", outcome });
  const send = (name: string) =>
    create(merchant.liveKey, "payment_links", { email: `${name}@example.com`, send_email: true });
  smtp.behaviour.rcpt = (address) =>
    address.startsWith("unknown")
      ? { code: 550, text: "5.1.1 no such user" }
      : { code: 550, text: "5.7.1 not allowed" };
  await send("first");
  await expect.poll(() => tried("policy")).toBe(1);
  expect([await tried("denied"), await at("failed")]).toEqual([0, 0]);
  await send("second");
  await expect.poll(() => tried("denied")).toBe(1);
  expect(await at("failed")).toBeGreaterThan((await at("worked")) ?? 0);
  await send("unknown");
  await expect.poll(() => tried("refused")).toBe(1);
  expect(await at("worked")).toBeGreaterThan((await at("failed")) ?? 0);
  smtp.behaviour.rcpt = undefined;
});

it("says what runs, how its database connections are used, and how late its event loop is", async () => {
  const scraped = await metrics.scrape();
  const build = scraped.samples.find(({ name }) => name === "paydesk_build_info");
  expect(build?.labels).toEqual({
    version: "0.1.0",
    commit: expect.stringMatching(/^[0-9a-f]{12}$|^unknown$/),
    node: process.versions.node,
    role: "all",
  });
  expect(scraped.value("paydesk_database_pool_max")).toBe(20);
  expect(scraped.value("paydesk_database_pool_connections")).toBeGreaterThan(0);
  expect(scraped.value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  expect(scraped.value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
});

it("reads the figures of the worker every 15 seconds, not at each scrape", async () => {
  const times = new Set<number | null>();
  const started = Date.now();
  for (let scrapes = 0; scrapes < 20; scrapes++)
    times.add((await metrics.scrape()).value("paydesk_figures_read_timestamp_seconds"));
  expect(times).not.toContain(0);
  expect(times.size).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - started) / 15_000));
});

// Each wait is for the next reading of the figures.
it("shows an unknown payment and a restore that holds the database, the end of both, and the time of the last backup", async () => {
  const each = { interval: 500 };
  const held = () => current("paydesk_database_held");
  const backupMadeAt = () => current("paydesk_backup_made_timestamp_seconds");
  expect([await held(), await backupMadeAt()]).toEqual([0, 0]);
  const id = newId("pay");
  const paymentLink = await create(merchant.liveKey, "payment_links", {});
  const tenant = { business_id: merchant.businessId, livemode: true };
  const backup = { file: "/backups/x.tar", bytes: 1, encrypted: false };
  for (const hours of [50, 2])
    await db.backup.create({ data: { ...backup, started_at: new Date(Date.now() - hours * 3_600_000) } });
  await db.$transaction([
    db.paymentLink.update({ where: { id: paymentLink }, data: { status: "Processing" } }),
    db.payment.create({
      data: {
        ...{ id, ...tenant, payment_link_id: paymentLink, gateway: "stripe", gateway_key: id },
        ...{ amount_cents: 1050, currency: "EUR", status: "unknown", started_at: new Date(Date.now() - 7_200_000) },
      },
    }),
  ]);
  const { id: restoreId } = await db.databaseRestore.create({ data: { backup_at: new Date() } });
  const unknown = { what: "unknown_payment", mode: "live" };
  await expect.poll(() => current("paydesk_money_open", unknown), each).toBe(1);
  expect(await current("paydesk_money_oldest_open_seconds", unknown)).toBeGreaterThan(7_100);
  await expect.poll(held, each).toBe(1);
  await expect.poll(backupMadeAt, each).toBeCloseTo(Date.now() / 1_000 - 7_200, -2);
  await db.databaseRestore.update({ where: { id: restoreId }, data: { released_at: new Date() } });
  await db.$transaction([
    db.payment.update({ where: { id }, data: { status: "failed", reason: "gateway_refused", settled_at: new Date() } }),
    db.paymentLink.update({ where: { id: paymentLink }, data: { status: "Active" } }),
  ]);
  await expect.poll(() => current("paydesk_money_open", unknown), each).toBe(0);
  await expect.poll(held, each).toBe(0);
});

it("serves nothing but GET /metrics on its port, and refuses to start on a port in use", async () => {
  const { origin } = new URL(metrics.url);
  const statuses = await Promise.all([
    fetch(`${origin}/`).then(({ status }) => status),
    fetch(`${origin}/api/payments`, { headers: { authorization: `Bearer ${merchant.key}` } }).then((r) => r.status),
    fetch(metrics.url, { method: "POST" }).then(({ status }) => status),
    fetch(metrics.url).then(({ status }) => status),
  ]);
  expect(statuses).toEqual([404, 404, 405, 200]);
  const port = await freePort();
  const taken = createServer().listen(port, "127.0.0.1");
  await once(taken, "listening");
  let output = "";
  const over = { ...settings, METRICS_PORT: String(port), METRICS_HOST: "127.0.0.1" };
  await expect(launch(over, paydeskWeb, (text) => (output += text))).rejects.toThrow("did not start");
  taken.close();
  expect(output).toContain(`Port ${port} is already in use. Choose another one, for example METRICS_PORT=${port + 1}.`);
});

const read = (file: string) => readFileSync(`deploy/${file}`, "utf8");

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const panels = (JSON.parse(read("grafana/paydesk.json")) as { panels: Panel[] }).panels;
const expressions = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ where: `the panel "${title}"`, expr })),
);
const rules = [
  ...read("prometheus/paydesk.rules.yml").matchAll(
    /- alert: (\w+)\n {8}expr: >-\n {10}(.+)\n([\s\S]*?)(?=\n {6}- |\n {2}- |$)/g,
  ),
].map(([, alert = "", expr = "", rest = ""]) => ({ alert, expr, rest }));

/** The names of metrics in an expression: what is not a function, a label or a keyword. */
const metricsIn = (expr: string): string[] => [
  ...new Set(
    expr
      .replace(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\b(by|on|without)\s*\([^)]*\)/g, " ")
      .match(/\b(paydesk|nodejs|process)_\w+|\bup\b/g) ?? [],
  ),
];

describe("deploy/", () => {
  it("names only metrics that the server exports, in its dashboard and its rules", async () => {
    const exported = new Set((await metrics.scrape()).families);
    const isExported = (name: string) =>
      name === "up" || exported.has(name) || exported.has(name.replace(/_(bucket|sum|count)$/, ""));
    const all = [...expressions, ...rules.map(({ alert, expr }) => ({ where: alert, expr }))];
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(({ expr }) => metricsIn(expr).length === 0)).toEqual([]);
    const missing = all.flatMap(({ where, expr }) =>
      metricsIn(expr)
        .filter((name) => !isExported(name))
        .map((name) => `${where} names ${name}`),
    );
    expect(missing).toEqual([]);
    expect(metricsIn('sum by (up) (rate(paydesk_x{process_y="1"}[5m]))')).toEqual(["paydesk_x"]);
  });

  it("shows in its dashboard what each alert reads, except the times by which an alert knows that figures are current", () => {
    const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
    const read = new Set(rules.flatMap(({ expr }) => metricsIn(expr)));
    expect([...read].filter((name) => !shown.has(name)).toSorted()).toEqual([
      "paydesk_figures_read_timestamp_seconds",
      "paydesk_mail_server_failed_timestamp_seconds",
      "paydesk_mail_server_worked_timestamp_seconds",
    ]);
  });

  it("has for each alert a time, a severity, a summary, a section of the operations page, and a test", () => {
    const operations = documents.find(({ path }) => path === "docs/operations.md");
    const sections = operations ? anchors(operations) : [];
    const names = read("prometheus/paydesk.rules.yml").match(/- alert: /g) ?? [];
    expect([rules.length, rules.length > 20]).toEqual([names.length, true]);
    const tests = read("prometheus/paydesk.test.yml");
    for (const { alert, rest } of rules) {
      expect(rest, alert).toMatch(/for: \d+[mh]\n/);
      expect(rest, alert).toMatch(/severity: (critical|warning)\n/);
      expect(rest, alert).toMatch(/summary: ".{10,}\."\n/);
      expect(sections, alert).toContain(/runbook: docs\/operations\.md#(\S+)/.exec(rest)?.[1]);
      expect(tests, alert).toContain(`name: ${alert} fires\n`);
      expect(tests, alert).toContain(`name: ${alert} quiet\n`);
    }
  });

  // Skipped where promtool is missing: Debian's package prometheus has it.
  it.runIf(hasPromtool())("has in each panel of its dashboard an expression that PromQL accepts", () => {
    const file = join(mkdtempSync(join(tmpdir(), "paydesk-panels-")), "panels.yml");
    const check = (exprs: string[]) => {
      const rules = exprs.map((expr, index) => ({ record: `panel:${index}`, expr }));
      writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules }] })); // JSON is YAML as well
      return promtool(["check", "rules", file]);
    };
    const { status, output } = check(expressions.map(({ expr }) => expr));
    expect(status, output).toBe(0);
    expect(check(["sum by (kind (paydesk_jobs)"]).status).not.toBe(0);
    rmSync(dirname(file), { recursive: true });
  });

  it.runIf(hasPromtool())(
    "passes promtool: configuration, rules, tests of the rules, and the server's metrics",
    async () => {
      const cwd = "deploy/prometheus";
      const { text } = await metrics.scrape();
      for (const run of [
        promtool(["check", "config", "prometheus.yml"], { cwd }),
        promtool(["check", "rules", "paydesk.rules.yml"], { cwd }),
        promtool(["test", "rules", "paydesk.test.yml"], { cwd }),
        promtool(["check", "metrics"], { input: text }),
      ])
        expect(run.status, run.output).toBe(0);
    },
  );
});
