import { expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { openBefore, rowsReadBy } from "@/tests/support/migrations";

const [first, second] = ["20261128100004_payment_risk", "20261128100004_payment_risk_checked"];

it("older payments have no risk and keep all other columns, and adding the column reads none of them", async () => {
  const { url, client } = await openBefore(first);
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
      VALUES ('pl_1', 7, true, 'bob@example.com', 'EUR', 1050, 'Order');
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status, reason,
                         card_last4, settled_at)
      SELECT 'pay_' || n, 7, true, 'pl_1', 'sandbox', 'pay_' || n, 1050, 'EUR', 'failed', 'card_declined', '4242', '2026-09-01Z'
        FROM generate_series(1, 50) AS n`);
  const payments = async () =>
    (await client.query("SELECT to_jsonb(p) - 'risk' AS row FROM payment p ORDER BY id")).rows;
  const before = await payments();
  expect(await rowsReadBy(client, first, ["payment"])).toBe(0);
  expect((await migrate(url)).slice(0, 2)).toEqual([first, second]);
  expect(await payments()).toEqual(before);
  expect((await client.query("SELECT count(risk)::int AS risks FROM payment")).rows).toEqual([{ risks: 0 }]);
  await client.query("UPDATE payment SET risk = 'highest' WHERE id = 'pay_1'");
  await expect(client.query("UPDATE payment SET risk = 'low' WHERE id = 'pay_1'")).rejects.toThrow("payment_risk");
  await client.end();
});
