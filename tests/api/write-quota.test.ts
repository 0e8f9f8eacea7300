import { expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { assertWriteQuota, countWrites } from "@/lib/http/write-quota";
import { createMerchant } from "@/tests/support/factory";

it("counts each write once, also if so many tenants write that their counts are dropped before they are stored", async () => {
  const { businessId } = await createMerchant();
  const tenant = { businessId, livemode: false };
  countWrites(tenant);
  for (let other = 1; other <= 10_001; other++)
    assertWriteQuota({ businessId: -other, livemode: false }, "POST", "payment_links:write");
  countWrites(tenant, 2);
  const stored = () => db.writeUsage.aggregate({ where: { business_id: businessId }, _sum: { writes: true } });
  await expect.poll(async () => (await stored())._sum.writes).toBe(3);
});
