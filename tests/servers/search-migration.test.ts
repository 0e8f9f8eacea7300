import type { Client } from "pg";
import { expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { openBefore } from "@/tests/support/migrations";

const name = "20261201010000_search_without_accents";

const day = "2026-11-30";

/** A database of an older version with links of "Müller", "Globe" and "Γιώργος". */
async function openWithLinks(first: string): Promise<{ url: string; client: Client }> {
  const { url, client } = await openBefore(first);
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, notes, created_at)
      SELECT id, 7, true, 'bob@example.com', 'EUR', 1050, title, notes, '${day}T12:00Z'
        FROM (VALUES ('pl_1', 'Müller', 'Straße'), ('pl_2', 'Globe', NULL), ('pl_3', 'Γιώργος', NULL)) AS links(id, title, notes);
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
    AND ${defined[0].words} @@ to_tsquery('simple', search_scope(7, true, '${day}') || '${word}')`;
  expect(JSON.stringify((await client.query(`EXPLAIN ${query}`)).rows)).toContain(`on ${index}`);
  return (await client.query(query)).rows.map(({ id }) => id);
}

/** The files of indexes. An index that is built anew has another one. */
const filesOf = async (client: Client, indexes: string[]) =>
  (await client.query("SELECT pg_relation_filenode(name::regclass) AS file FROM unnest($1::text[]) AS name", [indexes]))
    .rows;

it("older rows are found without their accents, and indexes without accents are not made anew", async () => {
  const { url, client } = await openWithLinks(name);
  const kept = ["payment_search", "customer_search", "payment_annotation_words", "subscription_annotation_words"];
  const before = await filesOf(client, kept);
  expect(await found(client, "payment_link_search", "müller")).toEqual(["pl_1"]);
  expect(await found(client, "customer_search", "bob")).toHaveLength(1);
  expect((await migrate(url))[0]).toBe(name);
  expect(await found(client, "payment_link_search", "muller")).toEqual(["pl_1"]);
  const annotated = "(metadata <> '{}' OR notes IS NOT NULL)";
  expect(await found(client, "payment_link_annotation_words", "strasse", annotated)).toEqual(["pl_1"]);
  expect(await filesOf(client, kept)).toEqual(before);
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

it("older Greek rows are found by capitals, too, and only their index is built anew", async () => {
  const { url, client } = await openWithLinks("20261201020000");
  const kept = ["customer_search", "payment_link_annotation_words"];
  const before = await filesOf(client, kept);
  expect(await found(client, "payment_link_search", "γιωργοσ")).toEqual([]);
  expect((await migrate(url))[0]).toBe("20261201020000_search_every_script");
  expect(await found(client, "payment_link_search", "γιωργοσ")).toEqual(["pl_3"]);
  expect(await found(client, "payment_link_search", "muller")).toEqual(["pl_1"]);
  expect(await filesOf(client, kept)).toEqual(before);
  await client.end();
});
