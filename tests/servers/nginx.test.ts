import { randomBytes } from "node:crypto";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { hasNginx, startNginx } from "@/tests/support/nginx";
import { createDatabase } from "@/tests/support/postgres";

const hsts = "strict-transport-security";

describe.runIf(hasNginx())("nginx with deploy/nginx", () => {
  let server: Launched;
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  let dispatcher: Agent;

  beforeAll(async () => {
    server = await launch(
      {
        DATABASE_URL: await createDatabase(),
        APP_SECRET: randomBytes(32).toString("base64url"),
        APP_URL: "https://pay.example.com",
        TRUST_PROXY: "1",
        ADDRESS_FAILURES_PER_MINUTE: "5",
      },
      paydeskWeb,
    );
    proxy = await startNginx([Number(new URL(server.url).port)], { tls: true });
    dispatcher = new Agent({ connect: { ca: proxy.certificate } });
  });
  afterAll(async () => {
    await dispatcher?.close();
    await proxy?.stop();
    await server?.stop();
  });

  const ask = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(proxy.url + path, { dispatcher, ...init });

  it("sends http to https", async () => {
    const reply = await fetch(`${proxy.plain}/pay?id=pl_1`, {
      redirect: "manual",
      headers: { Host: "pay.example.com" },
    });
    expect([reply.status, reply.headers.get("location")]).toEqual([
      308,
      expect.stringMatching(/^https:.*\/pay\?id=pl_1$/),
    ]);
  });

  it("passes Paydesk's answers on, with one Strict-Transport-Security", async () => {
    const reply = await ask("/api/payment-links");
    expect([reply.status, reply.headers.get(hsts)]).toEqual([401, expect.stringMatching(/^max-age=\d+$/)]);
    const large = await ask("/api/payment-links", { method: "POST", body: "x".repeat(70_000) });
    expect([large.status, large.headers.get("content-type")]).toEqual([413, "application/json"]);
  });

  it("overwrites the address that a caller claims", async () => {
    const statuses: number[] = [];
    for (let caller = 1; caller <= 8; caller++) {
      const headers = { "X-Forwarded-For": `192.0.2.${caller}`, Authorization: `Bearer sk_test_${"a".repeat(43)}` };
      statuses.push((await ask("/api/payment-links", { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it("logs no path, also when Paydesk is away, and then still answers with Strict-Transport-Security", async () => {
    await server.stop();
    const reply = await ask("/pay?id=pl_secret");
    expect([reply.status, reply.headers.get(hsts)]).toEqual([502, "max-age=31536000"]);
    expect(proxy.accessLog()).toMatch(/ GET 502 /);
    for (const log of [proxy.accessLog(), proxy.errorLog()]) expect(log).not.toMatch(/pl_secret|payment-links/);
  });
});
