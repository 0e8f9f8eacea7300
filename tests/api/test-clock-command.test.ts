import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createMerchant } from "@/tests/support/factory";

const run = promisify(execFile);
const advance = (businessId: number, to: string) =>
  run("npm", ["run", "-s", "test-clock", "--", "advance", "--business", String(businessId), "--to", to]);

it("advances the clock of test mode, and says why not where it cannot", async () => {
  const { businessId } = await createMerchant();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const { stdout } = await advance(businessId, tomorrow);
  expect(Date.parse(stdout.trim())).toBeGreaterThanOrEqual(Date.parse(tomorrow));
  await expect(advance(businessId, tomorrow)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "The to must be later than what the clock shows.\n",
  });
});
