import { db, Prisma } from "@/lib/core/db";

export interface Column {
  table: string;
  name: string;
  type: string;
  /** The values that a CHECK allows; empty without such a rule. */
  allowed: string[];
}

/** Tables that keep what was sent as it was sent, or that are not ours. */
const records = ["_prisma_migrations", "api_request", "rate_limit"];

/** Every column of the database. */
export async function allColumns(): Promise<Column[]> {
  const columns = await db.$queryRaw<{ table_name: string; column_name: string; data_type: string }[]>`
    SELECT table_name, column_name, data_type FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, ordinal_position`;
  const rules = await db.$queryRaw<{ table: string; rule: string }[]>`
    SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE contype = 'c'`;
  const allowed = (table: string, name: string) =>
    rules
      .filter((rule) => rule.table === table && new RegExp(`\\b${name} = ANY`).test(rule.rule))
      .flatMap(({ rule }) => [...rule.matchAll(/'([^']*)'::/g)].map(([, value = ""]) => value));
  return columns
    .filter(({ table_name }) => !records.includes(table_name))
    .map(({ table_name: table, column_name: name, data_type: type }) => ({
      ...{ table, name, type },
      allowed: allowed(table, name),
    }));
}

/** The relations of the schema, by which an ORM's nested writes would reach other rows. */
export const relationNames = (schema: string): string[] => {
  const models = [...schema.matchAll(/^model (\w+)/gm)].map(([, name = ""]) => name);
  const fields = [...schema.matchAll(/^ {2}(\w+)\s+(\w+)(\[\]|\?)?/gm)];
  return [...new Set(fields.filter(([, , type = ""]) => models.includes(type)).map(([, name = ""]) => name))];
};

/**
 * A value that the column would take, and that nothing else writes, except true, false and allowed words.
 * @param round changes the truth values and the allowed word
 */
export function intruder({ table, name, type, allowed }: Column, round: number, foreignBusiness: number): unknown {
  if (name === "business_id") return foreignBusiness;
  if (allowed.length > 0) return allowed[round % allowed.length];
  if (type === "boolean") return round % 2 === 0;
  if (/int|numeric|double/.test(type)) return 1_333_337;
  if (type === "date") return "1999-09-09";
  if (/timestamp/.test(type)) return "1999-09-09T09:09:09+00:00";
  if (/json/.test(type)) return { intruder: `${table}.${name}` };
  if (type === "ARRAY") return [`intruder ${name}`];
  return `intruder ${table}.${name}`.slice(0, type === "character" ? 3 : 60);
}

export type Written = Map<string, Set<string>>;

const plain = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.startsWith('"1999-09-09') ? '"1999-09-09' : text;
};

/** The id of a transaction that begins now. */
export async function transactionNow(): Promise<bigint> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`SELECT pg_current_xact_id()::text::bigint AS id`;
  return row?.id ?? 0n;
}

/** The values that each column got in rows written since then, as JSON. */
export async function writtenSince(since: bigint, columns: Column[]): Promise<Written> {
  const tables = [...new Set(columns.map(({ table }) => table))];
  const parts = tables.map(
    (table) => Prisma.sql`
      SELECT ${table}::text AS table, to_jsonb(t) AS row FROM ${Prisma.raw(`"${table}"`)} t
      WHERE t.xmin::text::bigint > ${since}`,
  );
  const rows = await db.$queryRaw<{ table: string; row: object }[]>(Prisma.join(parts, " UNION ALL "));
  const written: Written = new Map();
  for (const { table, row } of rows)
    for (const [name, value] of Object.entries(row)) {
      const key = `${table}.${name}`;
      written.set(key, (written.get(key) ?? new Set()).add(plain(value)));
    }
  return written;
}

/** Truth values and allowed words, which others write as well. */
const isUnique = (value: string): boolean => /intruder|1333337|1999-09-09/.test(value);

/**
 * The columns that got a value of their name in `sent`, which they do not get without it. What others write as well counts only in
 * tables that the request writes to without it.
 */
export const intrusions = (written: Written, usual: Written[], sent: Record<string, unknown>): string[] =>
  [...written].flatMap(([key, values]) => {
    const name = key.slice(key.indexOf(".") + 1);
    if (!Object.hasOwn(sent, name)) return [];
    const value = plain(sent[name]);
    if (!values.has(value) || usual.some((each) => each.get(key)?.has(value))) return [];
    return isUnique(value) || usual.some((each) => each.has(key)) ? [key] : [];
  });
