import { db } from "@/lib/db";
import { newId } from "@/lib/id";
import { newSecret } from "@/lib/webhooks/sign";
import type { Staff } from "./staff";

const tenant = ({ businessId }: Staff) => ({ business_id: businessId, livemode: false });

export async function makePackage(staff: Staff): Promise<string> {
  const id = newId("pkg");
  const price = { amount_cents: 1500, currency: "EUR", frequency: "monthly" };
  await db.package.create({ data: { id, ...tenant(staff), name: "Reading club", ...price } });
  return id;
}

/** One that is active and owes nothing, with nothing due. */
export async function makeSubscription(staff: Staff): Promise<string> {
  const [id, package_id] = [newId("sub"), await makePackage(staff)];
  const anchor = { anchor: "2026-01-31T00:00:00", timezone: "Europe/Berlin" };
  await db.subscription.create({
    data: { id, ...tenant(staff), package_id, email: "reader@example.com", status: "active", ...anchor },
  });
  return id;
}

export async function makeEndpoint(staff: Staff): Promise<string> {
  const id = newId("whe");
  const { sealed: secret } = newSecret(id);
  await db.webhookEndpoint.create({
    data: { id, ...tenant(staff), url: "https://shop.example.com/hook", events: ["*"], secret },
  });
  return id;
}
