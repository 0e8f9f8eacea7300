import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "@/lib/core/id";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort, type Launched, launch, paydesk } from "@/tests/support/launch";
import { type ReceivedSpan, startCollector } from "@/tests/support/otlp";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { createEndpoint } from "@/tests/support/webhooks";

let collector: Awaited<ReturnType<typeof startCollector>>;
let receiver: Receiver;
let settings: Record<string, string>;
let server: Launched;
let merchant: Merchant;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  const DATABASE_URL = await createDatabase();
  settings = {
    DATABASE_URL,
    DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL),
    APP_SECRET: randomBytes(32).toString("base64url"),
  };
  server = await launch({
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
    OTEL_BSP_SCHEDULE_DELAY: "200",
  });
  Object.assign(process.env, settings, { TEST_URL: server.url }); // before the first query
  merchant = await createMerchant();
  await createEndpoint(merchant, receiver.url);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([collector.stop(), receiver.stop()]);
});

const named = (name: string) => (span: ReceivedSpan) => span.name === name;
const find = (what: string, matches: (span: ReceivedSpan) => boolean) =>
  until(what, () => collector.spans.find(matches));
const below = ({ spanId }: ReceivedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

it("shows a request with its statements, below the caller's span", async () => {
  const traceId = randomBytes(16).toString("hex");
  const parentSpanId = randomBytes(8).toString("hex");
  const title = `Order ${newId("evt")}`;
  const { status } = await call("POST", "/payment-links", {
    key: merchant.key,
    body: { email: "ada@example.com", currency: "EUR", amount: "1050", title, send_email: false },
    headers: { traceparent: `00-${traceId}-${parentSpanId}-01` },
  });
  expect(status).toBe(200);
  const request = await find("the request", (span) => span.traceId === traceId && span.kind === 2);
  expect(request).toMatchObject({
    name: "POST /api/payment-links",
    parentSpanId,
    attributes: { "http.request.method": "POST", "http.route": "/api/payment-links", "http.response.status_code": 200 },
  });
  const inTrace = collector.spans.filter((span) => span.traceId === traceId);
  const statements = inTrace.filter(({ attributes }) => attributes["db.system.name"] === "postgresql");
  expect(statements.length).toBeGreaterThan(1);
  expect(statements.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^SELECT api_key$|^SELECT \w+$/));
  expect(statements.every(({ kind }) => kind === 3)).toBe(true);
  // Nothing of the statement's parameters, the body or the key.
  const sent = collector.texts.join("\n");
  for (const secret of [title, "ada@example.com", merchant.key, settings.APP_SECRET ?? ""])
    expect(sent).not.toContain(secret);
  expect(collector.headers.at(-1)?.authorization).toBe("Bearer collector");
  expect(collector.resources.at(-1)).toMatchObject({ "service.name": "paydesk", "paydesk.role": "all" });
});

it("shows a payment's call of the gateway, and the delivery of its event, without telling the receiver", async () => {
  const link = await create(merchant.key, "payment_links", {});
  await payAt(`/pay?id=${link}`);
  const pay = await find("the call of the gateway", named("gateway_call sandbox pay"));
  expect(pay).toMatchObject({ kind: 3, attributes: { "paydesk.outcome": "succeeded" } });
  const payer = await find("the payer's request", ({ traceId, kind }) => traceId === pay.traceId && kind === 2);
  expect(payer.name).toBe("POST /pay");
  const delivery = await find("a delivery", named("webhook deliver"));
  expect(delivery.parentSpanId ?? "").toBe("");
  expect(delivery.attributes).toEqual({ "paydesk.outcome": "delivered" });
  await until("an event", () => receiver.received[0]);
  expect(receiver.received.filter(({ headers }) => "traceparent" in headers || "tracestate" in headers)).toEqual([]);
  expect(collector.texts.join("\n")).not.toContain(receiver.url);
});

it("marks what fails, and gives unknown paths one name", async () => {
  await fetch(`${server.url}/secret-2/here`);
  const unmatched = await find("the unknown path", named("GET unmatched"));
  expect([unmatched.status, unmatched.attributes["http.response.status_code"]]).toEqual([0, 404]);
  expect(collector.texts.join("\n")).not.toContain("secret-2");
  expect(below(unmatched)).toEqual([]);
});

it("has no span of polls, which mostly find nothing", async () => {
  await until("some spans", () => collector.spans.length > 5);
  expect(collector.spans.filter(({ name }) => name.startsWith("poll"))).toEqual([]);
  // A statement without a trace would begin one.
  const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(roots.filter(({ attributes }) => "db.system.name" in attributes)).toEqual([]);
});

/**
 * Starts and stops the server.
 * @param meanwhile gets what the server has printed so far
 * @returns the modules of node_modules that it has loaded
 */
async function modulesOf(
  over: Record<string, string>,
  meanwhile?: (output: () => string) => Promise<unknown>,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-modules-"));
  chmodSync(folder, 0o777); // a server that root starts goes on as another user
  const LOADED_MODULES = join(folder, "modules");
  const preload = ["--import", resolve("tests/support/loaded-modules.mjs")];
  let output = "";
  const program = (port: number) => [...preload, ...paydesk()(port)];
  const one = await launch({ ...settings, ...over, LOADED_MODULES }, program, (text) => (output += text));
  await fetch(`${one.url}/api/payments`);
  await meanwhile?.(() => output);
  expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
  expect(await one.stop()).toBe(0);
  const modules = readFileSync(LOADED_MODULES, "utf8").split("\n");
  rmSync(folder, { recursive: true });
  return modules.filter((path) => path.includes("/node_modules/"));
}

it("loads OpenTelemetry and prom-client only if the settings ask for it, and serves requests while no collector answers", async () => {
  const isOurs = (path: string) => /node_modules\/(@opentelemetry|prom-client|tdigest)\//.test(path);
  const off = await modulesOf({});
  expect(off.length).toBeGreaterThan(20); // it does list modules
  expect(off.filter(isOurs)).toEqual([]);
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const on = await modulesOf(
    {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: nobody, OTEL_EXPORTER_OTLP_TIMEOUT: "1000", OTEL_BSP_SCHEDULE_DELAY: "100" },
      METRICS_PORT: String(await freePort()),
    },
    (output) => until("a warning", () => output().includes("traces could not be sent")),
  );
  for (const name of ["@opentelemetry/sdk-trace-node", "@opentelemetry/exporter-trace-otlp-http", "prom-client"])
    expect(
      on.some((path) => path.includes(`/node_modules/${name}/`)),
      name,
    ).toBe(true);
});
