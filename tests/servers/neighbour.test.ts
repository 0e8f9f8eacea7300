import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mapConcurrently } from "@/tests/faults/map-concurrently";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertPayment } from "@/tests/support/paid";
import { create } from "@/tests/support/samples";

// What one caller may make expensive must not slow down the others.

const folder = mkdtempSync(join(tmpdir(), "paydesk-neighbour-"));
chmodSync(folder, 0o755); // a server that root starts runs as another user
/** While this file exists, the thread that renders receipts stands still (receipt-gate.mjs). */
const gate = join(folder, "closed");

let rig: Rig;
beforeAll(async () => {
  const preload = pathToFileURL(join(import.meta.dirname, "receipt-gate.mjs"));
  rig = await startRig({ NODE_OPTIONS: `--import ${preload}`, RECEIPT_GATE: gate });
});
afterAll(async () => {
  await rig?.stop();
  rmSync(folder, { recursive: true });
});

async function receipts(key: string, count: number): Promise<string[]> {
  return mapConcurrently(6, Array.from({ length: count }), async (_, index) => {
    const id = await create(key, "payment_links", { title: `Order ${index}` });
    const payment = await insertPayment({ _id: id });
    const { receipt_url } = (await call("GET", `/payments/${payment}`, { key })).json.data;
    return `${receipt_url}/pdf`;
  });
}

/** As lib/payer/receipt-printer.ts has them. */
const bounds = { running: 1, waiting: 8 };

it("answers other requests while a receipt renders, and lets few readers wait for theirs", async () => {
  const { key } = await createMerchant();
  const { key: neighbour } = await createMerchant("Neighbour");
  const admitted = bounds.running + bounds.waiting;
  const urls = await receipts(key, admitted + 7);
  const ended: Response[] = [];
  writeFileSync(gate, "");
  const readers = urls.map(async (url) => {
    const reply = await fetch(url);
    ended.push(reply);
    return { status: reply.status, text: Buffer.from(await reply.arrayBuffer()).toString("latin1") };
  });
  try {
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(7);
    // In the thread that answers requests, rendering would have ended, or nobody would get an answer now.
    for (let i = 0; i < 20; i++) expect((await call("GET", "/packages", { key: neighbour })).status).toBe(200);
    expect(ended.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(Array(7).fill([503, "2"]));
  } finally {
    rmSync(gate);
  }
  const read = (await Promise.all(readers)).filter(({ status }) => status === 200);
  expect(read.map(({ text }) => text.slice(0, 5))).toEqual(Array(admitted).fill("%PDF-"));
});

it("keeps a rendered receipt, also while it is rendered", async () => {
  const { key } = await createMerchant();
  const [url = ""] = await receipts(key, 1);
  const all = await Promise.all(Array.from({ length: 40 }, async () => (await fetch(url)).arrayBuffer()));
  const [first, ...others] = all.map((bytes) => Buffer.from(bytes));
  expect(first?.subarray(0, 5).toString()).toBe("%PDF-");
  expect(others.every((bytes) => bytes.equals(first as Buffer))).toBe(true);
});
