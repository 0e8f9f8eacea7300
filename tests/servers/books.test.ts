import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compareBalances } from "@/lib/ledger/balance-check";
import { checkBooks } from "@/lib/ledger/books";
import { moveChanges } from "@/lib/ledger/sums";
import { reportBooks } from "@/server/books-report";
import { command } from "@/tests/support/command";
import { freePort } from "@/tests/support/launch";
import { createDatabase, execute, ownerUrl } from "@/tests/support/postgres";
import { recountSums } from "@/tests/support/sums";

// The command adds up a whole database, so it has one of its own, which a script of SQL fills and then spoils.
let client: Client;
beforeAll(async () => {
  process.env.DATABASE_URL = await createDatabase(); // before the first query
  client = new Client(ownerUrl(process.env.DATABASE_URL));
  await client.connect();
  await client.query("INSERT INTO business (id, name) VALUES (1, 'Books'), (2, 'Tea')");
});
afterAll(() => client.end());

const books = (...args: string[]) => command("books", args, { env: { LOG_LEVEL: "silent" } });

/** A paid link with its journal, in cents. */
async function paid(id: string, business: number, cents: number, currency: string, fee: number): Promise<void> {
  await client.query(
    `INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, paid_at)
     VALUES ($1, $2, false, 'ada@example.com', $4, $3, 'Order', 'Paid', now())`,
    [`pl_${id}`, business, cents, currency],
  );
  await client.query(
    `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                          settled_at, receipt_token, fee_cents, fee_currency)
     VALUES ($1, $2, false, $5, 'sandbox', $1, $3, $4, 'succeeded', now(), $1, $6, $4)`,
    [`pay_${id}`, business, cents, currency, `pl_${id}`, fee],
  );
  for (const [kind, debit, credit, amount] of [
    ["payment", "gateway", "sales", cents],
    ["fee", "fees", "gateway", fee],
  ])
    await client.query(
      `INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency)
       VALUES ($1, false, $2, $3, $4, $5, $6, $7)`,
      [business, kind, `pay_${id}`, debit, credit, amount, currency],
    );
}

it("reports empty books", async () => {
  expect(await books()).toMatchObject({ code: 0, stdout: "The books are empty.\nBalanced.\n" });
});

it("adds up by business and currency", async () => {
  await paid("a", 1, 1050, "EUR", 40);
  await paid("b", 1, 2000, "EUR", 53);
  await paid("c", 1, 100_000, "JPY", 1400);
  await paid("d", 2, 500, "EUR", 32);
  for (const id of [1, 2]) await recountSums(client, id);
  const { code, stdout } = await books();
  expect(code).toBe(0);
  expect(stdout.split("\n").map((line) => line.trim().split(/\s{2,}/))).toEqual([
    [
      "business",
      "mode",
      "currency",
      "payments",
      "paid",
      "refunded",
      "disputed",
      "fees",
      "paid out",
      "balance",
      "unmatched",
      "by hand",
      "open",
      "fees unknown",
    ],
    ["1", "test", "EUR", "2", "€30.50", "€0.00", "€0.00", "€0.93", "€0.00", "€29.57", "€0.00", "€0.00", "0", "0"],
    ["1", "test", "JPY", "1", "¥1,000", "¥0", "¥0", "¥14", "¥0", "¥986", "¥0", "¥0", "0", "0"],
    ["2", "test", "EUR", "1", "€5.00", "€0.00", "€0.00", "€0.32", "€0.00", "€4.68", "€0.00", "€0.00", "0", "0"],
    ["Balanced."],
    [""],
  ]);
  const { sums } = JSON.parse((await books("--json")).stdout);
  expect(sums[0]).toMatchObject({ business_id: 1, paid: 3050, fees: 93, balance: 2957 });
});

it.each([
  ["UPDATE payment_link SET refunded_cents = 100 WHERE id = 'pl_a'", "refunds do not add up to their link's: pl_a"],
  ["UPDATE payment SET refunded_cents = 100 WHERE id = 'pay_a'", "refunds do not add up to their payment's: pay_a"],
  ["UPDATE payment SET amount_cents = 1051 WHERE id = 'pay_a'", "payment and journal differ: pay_a"],
  ["UPDATE payment SET fee_cents = 41 WHERE id = 'pay_a'", "fee and journal differ: pay_a"],
  [
    "UPDATE payment_link SET amount_cents = 1051 WHERE id = 'pl_a'",
    "paid link without just one payment of its amount: pl_a",
  ],
  [
    "UPDATE payment_link SET status = 'Active', paid_at = NULL WHERE id = 'pl_a'",
    "payment of a link that is not paid: pay_a",
  ],
  [
    "UPDATE payment_link SET status = 'Processing', paid_at = NULL WHERE id = 'pl_a'",
    "link in flight without an open attempt: pl_a",
  ],
  [
    "UPDATE payment SET status = 'unknown', receipt_token = NULL WHERE id = 'pay_a'",
    "open attempt of a link that is not in flight: pay_a",
  ],
  [
    "UPDATE payment SET gateway = 'manual', method = 'cash', paid_on = now() WHERE id = 'pay_a'",
    "money in the wrong account: pay_a",
  ],
  [
    `UPDATE payment SET gateway = 'manual', method = 'cash', paid_on = now(), status = 'reversed', reversed_at = now(),
            reversal_reason = 'Mistake' WHERE id = 'pay_a'`,
    "reversed payment and journal differ: pay_a",
  ],
])("detects the imbalance of %s", async (spoil, found) => {
  // A copy of the rows, from which they are put back afterwards.
  await client.query("CREATE TABLE kept_link AS TABLE payment_link; CREATE TABLE kept_payment AS TABLE payment");
  await client.query(spoil);
  const { imbalances } = await checkBooks();
  await client.query(`
    UPDATE payment p SET status = k.status, receipt_token = k.receipt_token, refunded_cents = k.refunded_cents,
           amount_cents = k.amount_cents, fee_cents = k.fee_cents, gateway = k.gateway, method = k.method, paid_on = k.paid_on,
           reversed_at = k.reversed_at, reversal_reason = k.reversal_reason FROM kept_payment k WHERE k.id = p.id;
    UPDATE payment_link l SET status = k.status, paid_at = k.paid_at, refunded_cents = k.refunded_cents,
           amount_cents = k.amount_cents FROM kept_link k WHERE k.id = l.id;
    DROP TABLE kept_link; DROP TABLE kept_payment`);
  expect(imbalances.join("\n")).toContain(found);
});

it.each([
  [
    "a waiting change",
    "UPDATE settled_change SET cents = cents + 1 WHERE kind = 'fee' AND cents = 32",
    "EUR fee 15 minutes",
  ],
  [
    "a change twice",
    "INSERT INTO settled_change SELECT * FROM settled_change WHERE cents = 500",
    "2 test EUR collected 60",
  ],
  ["a sum", "UPDATE settled_sum SET failed_count = 1 WHERE currency = 'JPY' AND minutes = 60", "1 test JPY failed 60"],
])("detects wrong sums of the overview: %s", async (where, spoil, found) => {
  if (where === "a sum") expect(await moveChanges()).toBe(false);
  await client.query(spoil);
  const { imbalances } = await checkBooks();
  for (const id of [1, 2]) await recountSums(client, id);
  expect(imbalances.join("\n")).toContain(`sums of the overview and settlements differ: `);
  expect(imbalances.join("\n")).toContain(found);
});

it("balances again after the tampered rows are restored (control for the tests above)", async () => {
  expect((await checkBooks()).imbalances).toEqual([]);
});

it("prints imbalances and exits with 1", async () => {
  await client.query("UPDATE payment SET fee_cents = fee_cents + 1 WHERE id = 'pay_a'");
  const { code, stderr } = await books();
  await client.query("UPDATE payment SET fee_cents = fee_cents - 1 WHERE id = 'pay_a'");
  expect(code).toBe(1);
  expect(stderr).toContain("fee and journal differ: pay_a");
  expect(stderr).toContain("NOT BALANCED");
});

describe("a comparison with the gateways", () => {
  it("adds up the journal without the pool's limits", async () => {
    await client.query("BEGIN; LOCK TABLE posting");
    const compared = compareBalances().catch((error: Error) => error);
    try {
      const waits = `SELECT application_name FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%gateway_balance%'`;
      const waiting = async () => {
        await client.query("SELECT pg_stat_clear_snapshot()");
        return (await client.query(waits)).rows;
      };
      await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ application_name: "paydesk books" }]);
    } finally {
      await client.query("COMMIT");
    }
    expect(await compared).not.toBeInstanceOf(Error);
  });

  it("has printed what is wrong here when it fails", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await client.query("UPDATE payment SET fee_cents = fee_cents + 1 WHERE id = 'pay_a'");
    await client.query("ALTER TABLE gateway_balance RENAME TO hidden");
    const report = await reportBooks(1, false).catch((error: Error) => error);
    await client.query("ALTER TABLE hidden RENAME TO gateway_balance");
    await client.query("UPDATE payment SET fee_cents = fee_cents - 1 WHERE id = 'pay_a'");
    const [printed, first] = [errors.mock.calls.flat(), String(lines.mock.calls[0])];
    for (const spy of [errors, lines]) spy.mockRestore();
    expect(printed).toContain("fee and journal differ: pay_a");
    expect(first).toContain("business");
    expect(report).toMatchObject({ isBalanced: false, compared: { isComplete: false } });
  });
});

it("refuses changes to the journal", async () => {
  await expect(client.query("UPDATE posting SET amount_cents = 1")).rejects.toThrow("posting is only added to");
  await expect(client.query("DELETE FROM posting")).rejects.toThrow("posting is only added to");
  const twice = `INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency)
    SELECT business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency FROM posting LIMIT 1`;
  await expect(client.query(twice)).rejects.toThrow("posting_once");
});

it("keeps the differences of a comparison of more days, and says how many days to ask about", async () => {
  const stored = async () => {
    const { rows } = await client.query("SELECT at_gateways FROM books_check ORDER BY checked_at DESC LIMIT 1");
    return rows[0].at_gateways as number;
  };
  const age = (days: number) =>
    client.query("UPDATE payment SET started_at = now() - $1::int * interval '1 day'", [days]);
  const hint = "check them with --ask-gateways 60.";
  // The sandbox has none of these payments.
  await age(40);
  expect((await books("--ask-gateways", "60")).stderr).toContain("pay_a: succeeded here, absent there");
  const found = await stored();
  const fewer = await books("--ask-gateways", "30");
  expect(fewer.stderr).not.toContain("pay_a: succeeded here");
  expect(fewer.stderr).toContain(hint);
  expect(await stored()).toBe(found);
  await age(70);
  expect((await books("--ask-gateways", "60")).stderr).not.toContain(hint);
  expect(await stored()).toBeLessThan(found);
});

it("prints its usage", async () => {
  const { code, stderr } = await books("--ask-gateways", "many");
  expect(code).toBe(2);
  expect(stderr).toContain("npm run -s books");
});

it.each([
  ["books", []],
  ["api-key", ["list", "--business", "1"]],
])("%s says that PostgreSQL cannot be reached", async (name, args) => {
  const port = await freePort();
  const env = { DATABASE_URL: `postgresql://paydesk:secret@127.0.0.1:${port}/paydesk`, LOG_LEVEL: "silent" };
  expect(await command(name, args, { env })).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "PostgreSQL cannot be reached. Is it running, and is DATABASE_URL right?\n",
  });
});

it.each([
  ["books", []],
  ["api-key", ["list", "--business", "1"]],
])("%s says that PostgreSQL has too many connections", async (name, args) => {
  const DATABASE_URL = await createDatabase();
  await execute(ownerUrl(DATABASE_URL), `ALTER DATABASE ${new URL(DATABASE_URL).pathname.slice(1)} CONNECTION LIMIT 0`);
  expect(await command(name, args, { env: { DATABASE_URL, LOG_LEVEL: "silent" } })).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "PostgreSQL has too many connections. Stop other processes, or raise max_connections.\n",
  });
});

it("api-key says that a statement waited too long", async () => {
  await client.query("BEGIN; LOCK TABLE api_key");
  const listed = await command("api-key", ["list", "--business", "1"], { env: { LOG_LEVEL: "silent" } });
  await client.query("COMMIT");
  expect(listed).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "PostgreSQL could not do this now (canceling statement due to lock timeout). Run the command again.\n",
  });
});
