import { beforeAll, expect, it } from "vitest";
import { sendNotice } from "@/lib/billing/notices";
import { db, execute, Prisma, queryRows } from "@/lib/core/db";
import { sweepSettled } from "@/lib/ledger/sweep";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { create, type Kind } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const read = async (path: string): Promise<Row> => (await call("GET", path, { key: merchant.key })).json.data;

/** A subscription that starts years later, so that billing does not change it. */
async function laterSubscription(): Promise<string> {
  const terms = {
    name: "Later",
    amount: "1500",
    currency: "EUR",
    frequency: "monthly",
    date_charge_start: "2099-01-01",
  };
  const { _id: package_id } = (await call("POST", "/packages", { key: merchant.key, body: terms })).json.data;
  const body = { email: "ada@example.com", package_id };
  return (await call("POST", "/subscriptions", { key: merchant.key, body })).json.data._id;
}

it.each<[kind: Kind, table: string, internal: string[], shown: string]>([
  ["payments", "payment", ["asked_at", "unbooked_since", "closed_at"], "gateway_code = 'x'"],
  ["refunds", "refund", ["asked_at"], "reason = 'x'"],
  ["tokenizations", "tokenization", ["setup_asked_at"], "title = 'x'"],
])("updated_at of %s moves only with what the API shows", async (kind, table, internal, shown) => {
  const id = await create(merchant.key, kind);
  const path = `/${kind}/${id}`;
  const set = (assignments: string) =>
    execute(db, Prisma.sql`UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(assignments)} WHERE id = ${id}`);
  const before = await read(path);
  for (const column of internal) await set(`${column} = clock_timestamp()`);
  expect(await read(path)).toEqual(before);
  await set(`${internal[0]} = clock_timestamp(), ${shown}`);
  const after = await read(path);
  expect(after.updated_at > before.updated_at).toBe(true);
  await set(shown);
  expect(await read(path)).toEqual(after);
  await set("notes = 'x'");
  expect((await read(path)).updated_at > after.updated_at).toBe(true);
});

it("a lookup of a settled payment does not move its updated_at", async () => {
  const link = await create(merchant.key, "payment_links");
  await payAt(`/pay?id=${link}`);
  await call("POST", `/payment-links/${link}/refunds`, { key: merchant.key, body: { amount: "500" } });
  const { id } = await db.payment.findFirstOrThrow({ where: { payment_link_id: link } });
  await expect.poll(async () => (await read(`/payments/${id}`)).refunded_amount).toBe(5);
  // The sweep begins with the oldest.
  const [started_at, settled_at] = [20, 20].map((days) => new Date(Date.now() - days * 86_400_000));
  await db.payment.update({ where: { id }, data: { started_at, settled_at, asked_at: null } });
  const before = await read(`/payments/${id}`);
  await sweepSettled(new AbortController().signal);
  expect((await db.payment.findUniqueOrThrow({ where: { id } })).asked_at).not.toBeNull();
  expect(await read(`/payments/${id}`)).toEqual(before);
});

it("a notice of the next charge does not move a subscription's updated_at", async () => {
  const id = await laterSubscription();
  const near = Prisma.sql`clock_timestamp() + interval '1 hour'`;
  await execute(db, Prisma.sql`UPDATE subscription SET next_charge_at = ${near}, noticed_period = -1 WHERE id = ${id}`);
  const before = await read(`/subscriptions/${id}`);
  await sendNotice(id);
  const [row] = await queryRows<{ noticed_period: number; next_period: number }>(
    db,
    Prisma.sql`SELECT noticed_period, next_period FROM subscription WHERE id = ${id}`,
  );
  expect(row?.noticed_period).toBe(row?.next_period);
  expect(await read(`/subscriptions/${id}`)).toEqual(before);
});
