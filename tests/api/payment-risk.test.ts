import Papa from "papaparse";
import { beforeAll, expect, it } from "vitest";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { create, savedCard } from "@/tests/support/samples";

const cards = { normal: "4242424242424242", elevated: "4000000000009235", highest: "4100000000000019" };

let key: string;
const ids = {} as Record<keyof typeof cards, string>;
const get = async (path: string): Promise<Row & Row[]> => (await call("GET", path, { key })).json.data;
const paymentOf = async (link: string) => (await get(`/payments?payment_link_id=${link}`))[0] as Row;

/** Pays a link on its page. @returns the payment's id */
async function pay(number: string): Promise<string> {
  const link = await create(key, "payment_links");
  await payAt(`/pay?id=${link}`, number);
  return (await paymentOf(link))._id;
}

beforeAll(async () => {
  ({ key } = await createMerchant());
  for (const level of ["normal", "elevated", "highest"] as const) ids[level] = await pay(cards[level]);
});

it("shows the gateway's assessment in the payment, its event and the exported file", async () => {
  expect(await get(`/payments/${ids.normal}`)).toMatchObject({ status: "succeeded", risk: "normal" });
  expect(await get(`/payments/${ids.elevated}`)).toMatchObject({ status: "succeeded", risk: "elevated" });
  const blocked = { status: "failed", reason: "card_blocked", risk: "highest" };
  expect(await get(`/payments/${ids.highest}`)).toMatchObject(blocked);
  const events = await get(`/events?resource_id=${ids.elevated}&type=payment.succeeded`);
  expect(events).toMatchObject([{ data: { risk: "elevated" } }]);
  const { text } = await call("GET", "/payments/export", { key });
  const rows = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
  const risks = Object.fromEntries(rows.map(({ _id, risk }) => [_id, risk]));
  expect(risks).toMatchObject({ [ids.normal]: "normal", [ids.elevated]: "elevated", [ids.highest]: "highest" });
});

it("also shows the risk of a saved card's charge, even if it is declined", async () => {
  const charged = async (number: string) => {
    const [link, token] = [await create(key, "payment_links"), await savedCard(key, number)];
    await call("POST", `/payment-links/${link}/charge`, { key, body: { token } });
    return paymentOf(link);
  };
  expect(await charged(cards.elevated)).toMatchObject({ status: "succeeded", risk: "elevated" });
  expect(await charged(cards.highest)).toMatchObject({ status: "failed", reason: "card_blocked", risk: "highest" });
});

it("shows no risk for a payment that no gateway assessed", async () => {
  const link = await create(key, "payment_links");
  const body = { method: "cash", paid_on: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) };
  expect((await call("POST", `/payment-links/${link}/mark-paid`, { key, body })).status).toBe(200);
  expect(await paymentOf(link)).toMatchObject({ gateway: "manual", risk: null });
});

it("filters the business's payments by a raised risk, alone and with other filters", async () => {
  const other = await createMerchant();
  const found = async (query: string, by = key): Promise<string[]> =>
    (await call("GET", `/payments?${query}`, { key: by })).json.data.map(({ _id }: Row) => _id);
  const elevated = await found("risk=elevated");
  expect(elevated).toContain(ids.elevated);
  expect(elevated).not.toContain(ids.normal);
  expect(elevated).not.toContain(ids.highest);
  expect(await found("risk=highest&status=failed&gateway=sandbox&currency=EUR")).toContain(ids.highest);
  expect(await found("risk=highest&status=succeeded")).toEqual([]);
  expect(await found("risk=elevated&sort=-amount")).toContain(ids.elevated);
  expect(await found("risk=elevated", other.key)).toEqual([]);
  expect((await call("GET", "/payments?risk=normal", { key })).json.errors).toHaveProperty("risk");
});
