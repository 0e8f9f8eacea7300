import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { command } from "@/tests/support/command";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { create, savedCard } from "@/tests/support/samples";

let server: Launched;
const settings = {
  DATABASE_URL: await createDatabase(),
  APP_SECRET: "a secret of 32 characters, or more",
  LOG_LEVEL: "warn",
};

beforeAll(async () => {
  server = await launch(settings, paydeskWeb);
  Object.assign(process.env, settings, { TEST_URL: server.url });
});
afterAll(() => server?.stop());

it("advances in several slices without a worker, also what another process has begun", async () => {
  const { key, businessId } = await createMerchant();
  await savedCard(key);
  const package_id = await create(key, "packages", { frequency: "daily" });
  await create(key, "subscriptions", { package_id, email: "ada@example.com" });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const advance = (to: string) =>
    command("test-clock", ["advance", "--business", String(businessId), "--to", to], { env: settings });
  const to = inDays(300.5);
  expect((await call("POST", "/test-clock", { key, body: { to } })).status).toBe(200);
  expect(await advance(inDays(1))).toMatchObject({ code: 1, stderr: expect.stringContaining(`advanced to ${to}`) });
  expect(await advance(to)).toMatchObject({ code: 0, stderr: "" });
  expect(await charges(businessId)).toBe(301);
});

const charges = (business_id: number) => db.payment.count({ where: { business_id, status: "succeeded" } });
