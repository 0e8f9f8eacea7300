import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { findAccount } from "@/lib/gateways/accounts";
import { command as run } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort } from "@/tests/support/launch";
import { startStripeFake } from "@/tests/support/stripe/fake";

const fake = await startStripeFake();
afterAll(() => fake.close());

let merchant: Merchant;
let business: string;
beforeAll(async () => {
  merchant = await createMerchant();
  business = String(merchant.businessId);
});

const command = (args: string[], input = "", env: Record<string, string> = {}) =>
  run("gateway", args, { input, env: { STRIPE_API_URL: fake.url, ...env } });

const stored = () =>
  db.gatewayAccount.findMany({ where: { business_id: Number(business) }, orderBy: { created_at: "asc" } });

/** Whether the API says that the account in use needs https. The server of the tests has no https address. */
const needsHttps = async (key: string) => (await call("GET", "/gateway-accounts", { key })).json.data[0]?.needs_https;

it("connects with a key from standard input, and disconnects", async () => {
  const account = fake.account();
  const made = await command(["connect", "--business", business, "--mode", "test"], `${account.secretKey}\n`);
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const [row] = await stored();
  expect(made.stdout).toContain(`Connected ${account.id} as ${row?.id}.`);
  expect(made.stdout).toContain(`/api/gateways/stripe/webhook?account=${row?.id}`);
  expect(made.stdout).not.toContain(account.secretKey.slice(12, -4));
  expect(await findAccount(row?.id ?? "")).toMatchObject({ secretKey: account.secretKey });
  expect(await needsHttps(merchant.key)).toBe(false);
  const off = ["disconnect", "--business", business, "--mode", "test"];
  expect(await command(off)).toMatchObject({ code: 0, stderr: "Disconnected: test payments go to the sandbox now.\n" });
  expect(await command(off)).toMatchObject({ code: 1, stdout: "" });
});

it("reads the server's secret from its data directory, accepts a webhook secret created by hand, and lists accounts by their hints", async () => {
  const account = fake.account("live");
  const dir = mkdtempSync(join(tmpdir(), "paydesk-command-"));
  writeFileSync(join(dir, "secret"), `${process.env.APP_SECRET}\n`);
  const keys = { STRIPE_SECRET_KEY: account.secretKey, APP_SECRET: "", DATA_DIR: dir, APP_URL: "https://pay.example" };
  const args = ["connect", "--business", business, "--mode", "live", "--webhook-secret-stdin"];
  const made = await command(args, "whsec_madeByHand\n", keys);
  rmSync(dir, { recursive: true });
  expect([made.code, made.stderr]).toEqual([0, ""]); // with an https address
  const rows = await stored();
  const [replaced, row] = rows.slice(-2);
  const id = row?.id ?? "";
  expect(await findAccount(id)).toMatchObject({ secretKey: account.secretKey, webhookSecret: "whsec_madeByHand" });
  expect(await needsHttps(merchant.liveKey)).toBe(true);
  const hint = `${account.secretKey.slice(0, 12)}…${account.secretKey.slice(-4)}`;
  const lines = (await command(["list", "--business", business])).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(rows.length);
  expect(lines).toContain([id, business, "live", "stripe", account.id, hint, "in use"].join("\t"));
  const until = new RegExp(`^${replaced?.id}\t${business}\ttest\tstripe\tacct_.*\tuntil 20`);
  expect(lines).toContainEqual(expect.stringMatching(until));
});

it("explains the manual steps when no endpoint can be created", async () => {
  const account = fake.account();
  const theirs = fake.client(account.secretKey);
  const hold = { url: "https://example.com", enabled_events: ["charge.updated" as const] };
  await Promise.all(Array.from({ length: 16 }, () => theirs.webhookEndpoints.create(hold)));
  const args = ["connect", "--business", business, "--mode", "test"];
  const made = await command(args, account.secretKey, { LOG_LEVEL: "silent" });
  expect(made.code).toBe(0);
  expect(made.stdout).toContain("--webhook-secret-stdin");
  expect(made.stdout).toContain("  checkout.session.completed\n");
});

it("says that Stripe takes no live payments without https", async () => {
  const { businessId } = await createMerchant();
  const args = ["connect", "--business", String(businessId), "--mode", "live"];
  const made = await command(args, fake.account("live").secretKey, { APP_URL: "http://pay.example" });
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("it is http://pay.example.") });
});

it("changes nothing when Stripe refuses the key", async () => {
  const before = await stored();
  const args = ["connect", "--business", business, "--mode", "live"];
  const test = await command(args, fake.account().secretKey);
  expect(test).toMatchObject({ code: 1, stderr: "This is a test key: it cannot take live payments.\n" });
  const nobodys = await command(args, "sk_live_0123456789abcdef");
  expect(nobodys).toMatchObject({ code: 1, stderr: "Stripe does not know this key.\n" });
  const heal = fake.fault({ method: "GET", path: /refunds$/, kind: "key_forbidden", share: 1 });
  const restricted = await command(args, fake.account("live").secretKey);
  heal();
  const message = expect.stringMatching(/^Stripe does not let this key list Refunds\. /);
  expect(restricted).toMatchObject({ code: 1, stdout: "", stderr: message });
  expect(await stored()).toEqual(before);
});

it("names Stripe, and not PostgreSQL, when Stripe cannot be reached", async () => {
  const args = ["connect", "--business", business, "--mode", "test"];
  const env = { STRIPE_API_URL: `http://127.0.0.1:${await freePort()}` };
  expect(await command(args, fake.account().secretKey, env)).toMatchObject({
    code: 1,
    stderr: "Stripe gave no usable answer (StripeConnectionError, ECONNREFUSED).\n",
  });
});

it.each([
  [["connect", "--business", "1", "--mode", "test"], "Stripe's secret key is missing on standard input."],
  [["connect", "sk_test_0123456789abcdef"], "Only one command can be given."],
  [["list", "--key", "sk_test_1"], "--key"],
])("explains what is wrong with %j and prints the usage", async (args, message) => {
  const { code, stdout, stderr } = await command(args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).toContain("npm run -s gateway -- connect");
  expect(stderr).not.toContain("0123456789abcdef");
});
