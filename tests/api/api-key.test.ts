import { expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { command as run } from "@/tests/support/command";
import { createKey, createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";

const command = (...args: string[]) => run("api-key", args);

it.concurrent("prints a new key alone, lists keys by their hints, and revokes at once", async () => {
  const merchant = await createMerchant();
  const business = String(merchant.businessId);
  const made = await command("create", "--business", business, "--mode", "test", "--name", "ci", "--scope", "read");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect(made.stdout).toMatch(/^sk_test_[\w-]{43}\n$/);
  const key = made.stdout.trim();
  expect((await call("GET", "/packages", { key })).status).toBe(200);
  expect((await call("POST", "/packages", { key, body: {} })).status).toBe(403);

  const listed = await command("list", "--business", business);
  const line = listed.stdout.split("\n").find((row) => row.endsWith("\tci"));
  expect(line).toContain("\ttest\t");
  expect(listed.stdout).not.toContain(key);
  const stored = await db.apiKey.findMany({ where: { business_id: merchant.businessId } });
  expect(JSON.stringify(stored)).not.toContain(key.slice(12, -4));

  const id = line?.split("\t")[0] ?? "";
  expect((await command("revoke", "--business", "2147483647", "--id", id)).code).toBe(1);
  expect((await command("revoke", "--business", business, "--id", id)).code).toBe(0);
  expect((await call("GET", "/packages", { key })).status).toBe(401);
  expect((await command("revoke", "--business", business, "--id", id)).code).toBe(1);

  const log = await db.auditEntry.findMany({ where: { resource_id: id }, orderBy: { id: "asc" } });
  expect(log.map(({ action, actor_type, livemode }) => [action, actor_type, livemode])).toEqual([
    ["api_key.created", "system", false],
    ["api_key.revoked", "system", false],
  ]);
  expect(JSON.stringify(log)).not.toContain(key.slice(12, -4));
});

it.concurrent("explains a mistake and prints the usage", async () => {
  const { code, stdout, stderr } = await command("create", "--business", "1", "--mode", "prod", "--name", "x");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--mode must be test or live.");
  expect(stderr).toContain("npm run -s api-key -- create");
});

it.concurrent("stops working once it has expired", async () => {
  const merchant = await createMerchant();
  const key = await createKey(merchant, ["read"], { expiresAt: new Date(Date.now() + 1500) });
  expect((await call("GET", "/packages", { key })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect((await call("GET", "/packages", { key })).status).toBe(401);
});
