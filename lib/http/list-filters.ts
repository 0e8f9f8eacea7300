/** How filters find their rows. lib/http/list-streams.ts reads along them. */
import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";
import { foldText, wordsOf } from "@/lib/core/fold-text";
import { readingsOf } from "@/lib/core/typed-amount";
import {
  and,
  type Condition,
  type ExtraRows,
  type Facet,
  inOrderOf,
  maxFewRows,
  type Place,
  rowsAt,
  type SortKey,
} from "./list-streams";

const emailKey = `lower(email COLLATE "C")`;
const lower = (email: string) => Prisma.sql`lower(${email} COLLATE "C")`;

/** Rows of one e-mail address, ignoring the case of A to Z. Indexes that end in "_customer" serve it. */
export function byEmail(email: string): Condition {
  const value = lower(email);
  return { rows: Prisma.sql`${Prisma.raw(emailKey)} = ${value}`, key: { column: emailKey, value } };
}

/** The place of an e-mail address in indexes that end in "_customer". */
export const emailPlace = (email: string): Place => [Prisma.raw(emailKey), lower(email)];

/** Indexes that end in "_amount" serve it. */
export const amountOrder: SortKey = {
  sql: "amount_cents",
  field: "amount_cents",
  value: (cents) => Prisma.sql`${cents}::int`,
  type: "int",
};

/** Indexes that end in "_customer" serve it. */
export const emailOrder: SortKey = {
  sql: emailKey,
  field: "email",
  value: (email) => lower(String(email)),
  type: "text",
};

/** An order by a time that not every row has. Its partial index has the rows with one; a list in this order has no others. */
export const timeOrder = (column: string): SortKey => ({
  sql: column,
  field: column,
  value: (at) => Prisma.sql`${at}::timestamptz`,
  type: "time",
  partial: true,
});

const equal = (column: string, value: string) => Prisma.sql`${Prisma.raw(`"${column}"`)} = ${value}`;

/**
 * A filter by a column with an index (tenant, column, created_at, id).
 * @param indexWhere the condition of the partial index. It must hold for every value of the filter
 */
export const key =
  (column: string, indexWhere = `"${column}" IS NOT NULL`) =>
  (value: string): Condition => ({
    rows: equal(column, value),
    key: { column: `"${column}"`, value: Prisma.sql`${value}::text`, indexWhere: Prisma.raw(indexWhere) },
  });

/** SQL: the id if the row is the tenant's, otherwise null. */
export function idOf(table: string, id: string, tenant: Tenant): Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  return Prisma.sql`
    (SELECT id FROM ${Prisma.raw(table)} WHERE id = ${id} AND business_id = ${business_id} AND livemode = ${livemode})`;
}

/** A filter by a column of which each value has few rows, such as the refunds of a payment. An index begins with it. */
export const few =
  (table: string, column: string) =>
  (value: string): Condition => ({ rows: equal(column, value), few: rowsAt(table, place(column, value)) });

/** Like `few`, with an index that begins with the tenant. */
export const fewOfTenant =
  (table: string, column: string) =>
  (value: string, tenant: Tenant): Condition => {
    const { business_id, livemode } = tenantOf(tenant);
    const owned = Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
    return { rows: equal(column, value), few: rowsAt(table, place(column, value), [owned]) };
  };

const place = (column: string, value: string): Place => [Prisma.raw(`"${column}"`), Prisma.sql`${value}::text`];

/**
 * Rows that have expired, but whose expiry is not recorded yet. In live mode, `select` finds those of all tenants, which the list
 * narrows. In test mode it reads the tenant's own index, because each business has its own clock.
 * @param unrecorded the condition of the table's indexes of expiries
 */
export function expiredOf(table: string, unrecorded: Prisma.Sql, tenant: Tenant, now: Date): ExtraRows {
  const due = Prisma.sql`expires_at <= ${now}::timestamptz`;
  const { business_id, livemode } = tenantOf(tenant);
  const own = livemode ? due : Prisma.sql`NOT livemode AND business_id = ${business_id} AND ${due}`;
  return {
    rows: Prisma.sql`(${unrecorded} AND ${due})`,
    select: inOrderOf(table, [unrecorded, own], Prisma.raw("expires_at"), maxFewRows),
  };
}

/** A filter by a facet. @param more `and`: what its rows must fulfil as well; `also`: few rows of other values */
export function among(
  of: Facet,
  values: readonly (string | number)[],
  more: { and?: Prisma.Sql; also?: ExtraRows } = {},
): Condition {
  const own = Prisma.sql`${Prisma.raw(of.sql)} = ANY(${[...values]}::${Prisma.raw(of.type)}[])`;
  const narrow = more.and ? Prisma.sql`(${own} AND ${more.and})` : own;
  return {
    rows: more.also ? Prisma.sql`(${narrow} OR ${more.also.rows})` : narrow,
    facet: { of, values, ...more },
  };
}

/** A filter by a facet's value. */
export const facet =
  (of: Facet) =>
  (value: string): Condition =>
    among(of, [value]);

/**
 * What to look for, each as an expression of to_tsquery: words, which begin a word of the row, or an amount, which equals the
 * row's. "@" is where the scope of the index's words goes. At most ten. Those that are probably rare come first: with digits,
 * then longer ones.
 */
function termsOf(text: string): string[] {
  const rarity = (term: string) => term.length + (/\p{N}/u.test(term) ? 1_000 : 0);
  const terms = foldText(text)
    .split(/\s+/)
    .flatMap((part) => {
      const words = wordsOf(part);
      // "€12.50": a currency's sign is no word of the row. "1,050" may be either of two amounts.
      const bare = part.replace(/^\p{Sc}|\p{Sc}$/gu, "");
      const cents = readingsOf(bare);
      if (cents.length === 0) return words.map(wordTerm);
      // "12.50" finds a title with 12.50, but no card that expires in 12 with the reference 505e. "12" may begin a number.
      const asWords = words.length > 1 || bare !== part ? words.map(wholeWord) : words.map(wordTerm);
      return [`(${[asWords.join(" & "), ...cents.map(amountWord)].join(" | ")})`];
    });
  return terms.slice(0, 10).sort((a, b) => rarity(b) - rarity(a));
}

/** A word, or its beginning. What could begin an amount's word is a whole word: otherwise "0" would find every row. */
const wordTerm = (word: string): string => (/^0(c\d*)?$/.test(word) ? wholeWord(word) : `${wholeWord(word)}:*`);

const wholeWord = (word: string): string => `'@${word}'`;

/** As `amountWords` writes it in the index. */
const amountWord = (cents: string): string => `'@0c${cents}'`;

/** Filters of rows with an amount: checked row by row, because no index has amounts in the list's order. */
export const amountRangeFilters = {
  amount_from: (cents: number) => Prisma.sql`amount_cents >= ${cents}::int`,
  amount_to: (cents: number) => Prisma.sql`amount_cents <= ${cents}::int`,
};

/** SQL: the words by which an amount is found, in the columns of a search. */
export const amountWords = "currency || ' 0c' || amount_cents::text";

/** @param scope what the index's words begin with */
const toQuery = (terms: string[], scope = Prisma.sql`''`) =>
  Prisma.sql`to_tsquery('simple', replace(${terms.join(" & ")}, '@', ${scope}))`;

/**
 * Rows with these keys and values in `metadata`. The index has a number for each, made with the row's tenant and day: of two
 * texts with the same number, the comparison of the values finds the right one.
 */
export function byMetadata(wanted: Record<string, string>, tenant: Tenant): Condition {
  const { business_id, livemode } = tenantOf(tenant);
  const rows = Prisma.sql`(metadata <> '{}' AND metadata @> ${JSON.stringify(wanted)}::jsonb)`;
  const found = (entries: [string, string][]) => Prisma.sql`
    ${rows} AND metadata_entries(search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), metadata)
      @> metadata_entries(search_scope(${business_id}::int, ${livemode}::boolean, day.at),
                          ${JSON.stringify(Object.fromEntries(entries))}::jsonb)`;
  const all = Object.entries(wanted);
  return { rows, words: { all: found(all), one: null } };
}

/** Rows with metadata or notes; the others are not in the indexes that end in "_annotation_words". */
const isAnnotated = "(metadata <> '{}' OR notes IS NOT NULL)";
const annotationText = "annotation_text(metadata, notes)";

/** SQL: each of the terms is a word of the columns, or of the row's metadata and notes. */
const eachFound = (terms: string[], own: Prisma.Sql, annotations: Prisma.Sql, scope?: Prisma.Sql) =>
  and(
    terms.map((term) => {
      const query = toQuery([term], scope);
      return Prisma.sql`(${own} @@ ${query} OR (${Prisma.raw(isAnnotated)} AND ${annotations} @@ ${query}))`;
    }),
  );

/** Full-text search, row by row: also in the row's metadata and notes. */
export const matches = (columns: string) => {
  const [own, annotations] = [columns, annotationText].map((words) => Prisma.raw(`search_words('', ${words})`));
  return (text: string): Prisma.Sql => {
    const terms = termsOf(text);
    return terms.length === 0 || !own || !annotations ? Prisma.sql`false` : eachFound(terms, own, annotations);
  };
};

/**
 * Full-text search by an index of the columns' words, and by the one of metadata and notes.
 * @param columns SQL that equals the expression of the migration's index; otherwise the index is not used
 * @param among the condition of a partial index
 */
export const search = (columns: string, among = "true") => {
  const document = (words: string) =>
    Prisma.raw(`search_words(search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), ${words})`);
  const [own, annotations] = [document(columns), document(annotationText)];
  return (text: string, tenant: Tenant): Condition => {
    const rows = Prisma.sql`${Prisma.raw(among)} AND ${matches(columns)(text)}`;
    const terms = termsOf(text);
    if (terms.length === 0) return { rows, words: { all: Prisma.sql`false`, one: null } };
    const { business_id, livemode } = tenantOf(tenant);
    const scope = Prisma.sql`search_scope(${business_id}::int, ${livemode}::boolean, day.at)`;
    const found = (wanted: string[]) =>
      Prisma.sql`${Prisma.raw(among)} AND ${eachFound(wanted, own, annotations, scope)}`;
    return { rows, words: { all: found(terms), one: terms.length > 1 ? found(terms.slice(0, 1)) : null } };
  };
};
