/** Functions that make an object of a row's values, by the names of its columns. */
const makers = new Map<string, (values: unknown[]) => object>();

/**
 * Makes objects of rows that arrived as arrays. V8 keeps pg's own objects of many columns as hash tables, which take more memory
 * and are slow to read, copy and serialize. It does not do so for objects of an object literal.
 * @param columns names from our own SQL, never from input, because they become code; none may be `__proto__`
 */
export function objectsOf<Row extends object>(columns: { name: string }[], rows: unknown[][]): Row[] {
  if (rows.length === 0) return [];
  const key = columns.map(({ name }) => name).join("\n");
  let make = makers.get(key);
  if (make === undefined) {
    const fields = columns.map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`);
    make = new Function("values", `return { ${fields.join()} }`) as (values: unknown[]) => object;
    makers.set(key, make);
  }
  return rows.map(make) as Row[];
}
