import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { command } from "@/tests/support/command";
import { createMerchant } from "@/tests/support/factory";
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

it("does all due work by itself, in as many slices of time as it takes, while no worker runs", async () => {
  const { key, businessId } = await createMerchant();
  await savedCard(key);
  const package_id = await create(key, "packages", { frequency: "daily" });
  await create(key, "subscriptions", { package_id, email: "ada@example.com" });
  const to = new Date(Date.now() + 300 * 86_400_000).toISOString();
  const advance = ["advance", "--business", String(businessId), "--to", to];
  expect(await command("test-clock", advance, { env: settings })).toMatchObject({ code: 0, stderr: "" });
  expect(await db.payment.count({ where: { business_id: businessId, status: "succeeded" } })).toBe(301);
});
