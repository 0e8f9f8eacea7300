/** Functions that make an object of a row's values, by the names of its columns. */
const makers = new Map<string, (values: unknown[]) => object>();

/**
 * Makes objects of rows that arrived as arrays. pg's own objects of many columns are hash tables in V8: they take more memory, and
 * reading, copying and serializing them is slow. Those of an object literal are not.
 * @param columns named by our own SQL; not `__proto__`
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
