import { Client } from "pg";
import { expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { migrationsBefore } from "@/tests/support/migrations";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

it("older rows are found without their accents, and indexes without accents are not made anew", async () => {
  const url = ownerUrl(await createDatabase({ empty: true }));
  await migrate(url, migrationsBefore("20261201010000"));
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, notes) VALUES
      ('pl_1', 7, true, 'bob@example.com', 'EUR', 1050, 'Müller', 'Straße'), ('pl_2', 7, true, 'bob@example.com', 'EUR', 1050, 'Globe', NULL)`);
  /** What the index finds. */
  const found = async (index: string, word: string, rows = "true", table = "payment_link") => {
    const { rows: defined } = await client.query(
      "SELECT substring(pg_get_indexdef($1::regclass) from 'USING gin \\((search_words.*)\\) WITH') AS words",
      [index],
    );
    const query = `SELECT id FROM ${table} WHERE ${rows}
      AND ${defined[0].words} @@ to_tsquery('simple', search_scope(7, true, current_date) || '${word}')`;
    expect(JSON.stringify((await client.query(`EXPLAIN ${query}`)).rows)).toContain(`on ${index}`);
    return (await client.query(query)).rows.map(({ id }) => id);
  };
  const files = async (...indexes: string[]) =>
    (
      await client.query("SELECT pg_relation_filenode(name::regclass) AS file FROM unnest($1::text[]) AS name", [
        indexes,
      ])
    ).rows.map(({ file }) => file);
  const kept = ["payment_search", "customer_search", "payment_annotation_words", "subscription_annotation_words"];
  const before = await files(...kept);
  await client.query("SET TIME ZONE UTC");
  await client.query("SET enable_seqscan = off");
  expect(await found("payment_link_search", "müller")).toEqual(["pl_1"]);
  expect(await found("customer_search", "bob", "true", "customer")).toHaveLength(1);
  expect((await migrate(url))[0]).toBe("20261201010000_search_without_accents");
  expect(await found("payment_link_search", "muller")).toEqual(["pl_1"]);
  expect(await found("payment_link_annotation_words", "strasse", "(metadata <> '{}' OR notes IS NOT NULL)")).toEqual([
    "pl_1",
  ]);
  expect(await files(...kept)).toEqual(before);
  expect(await found("customer_search", "bob", "true", "customer")).toHaveLength(1);
  await client.end();
});
