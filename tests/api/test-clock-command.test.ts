import { expect, it } from "vitest";
import { command } from "@/tests/support/command";
import { createMerchant } from "@/tests/support/factory";

const advance = (businessId: number, to: string) =>
  command("test-clock", ["advance", "--business", String(businessId), "--to", to]);

it("advances the test clock, and explains a refusal", async () => {
  const { businessId } = await createMerchant();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const { stdout } = await advance(businessId, tomorrow);
  expect(Date.parse(stdout.trim())).toBeGreaterThanOrEqual(Date.parse(tomorrow));
  expect(await advance(businessId, tomorrow)).toEqual({
    code: 1,
    stdout: "",
    stderr: "The to must be later than what the clock shows.\n",
  });
});
