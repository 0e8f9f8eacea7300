import type { Client } from "pg";
import { expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { openBefore } from "@/tests/support/migrations";

const name = "20261201010000_search_without_accents";

/** A database of an older version with links of "Müller" and "Globe". */
async function openWithLinks(first: string): Promise<{ url: string; client: Client }> {
  const { url, client } = await openBefore(first);
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, notes) VALUES
      ('pl_1', 7, true, 'bob@example.com', 'EUR', 1050, 'Müller', 'Straße'), ('pl_2', 7, true, 'bob@example.com', 'EUR', 1050, 'Globe', NULL);
    SET TIME ZONE UTC;
    SET enable_seqscan = off`);
  return { url, client };
}

/** What an index of words finds. */
async function found(client: Client, index: string, word: string, rows = "true"): Promise<string[]> {
  const { rows: defined } = await client.query(
    `SELECT indrelid::regclass AS table, substring(pg_get_indexdef(indexrelid) from 'USING gin \\((search_words.*)\\) WITH') AS words
       FROM pg_index WHERE indexrelid = $1::regclass`,
    [index],
  );
  const query = `SELECT id FROM ${defined[0].table} WHERE ${rows}
    AND ${defined[0].words} @@ to_tsquery('simple', search_scope(7, true, current_date) || '${word}')`;
  expect(JSON.stringify((await client.query(`EXPLAIN ${query}`)).rows)).toContain(`on ${index}`);
  return (await client.query(query)).rows.map(({ id }) => id);
}

it("older rows are found without their accents, and indexes without accents are not made anew", async () => {
  const { url, client } = await openWithLinks(name);
  const kept = ["payment_search", "customer_search", "payment_annotation_words", "subscription_annotation_words"];
  const files = async () =>
    (await client.query("SELECT pg_relation_filenode(name::regclass) AS file FROM unnest($1::text[]) AS name", [kept]))
      .rows;
  const before = await files();
  expect(await found(client, "payment_link_search", "müller")).toEqual(["pl_1"]);
  expect(await found(client, "customer_search", "bob")).toHaveLength(1);
  expect((await migrate(url))[0]).toBe(name);
  expect(await found(client, "payment_link_search", "muller")).toEqual(["pl_1"]);
  const annotated = "(metadata <> '{}' OR notes IS NOT NULL)";
  expect(await found(client, "payment_link_annotation_words", "strasse", annotated)).toEqual(["pl_1"]);
  expect(await files()).toEqual(before);
  // This session has planned with the index before.
  expect(await found(client, "customer_search", "bob")).toHaveLength(1);
  await client.end();
});

it("an upgrade over many versions, whose earlier migrations have planned with the indexes, finds them, too", async () => {
  const { url, client } = await openWithLinks("20261126130100");
  expect(await migrate(url)).toContain(name);
  expect(await found(client, "payment_link_search", "muller")).toEqual(["pl_1"]);
  await client.end();
});
