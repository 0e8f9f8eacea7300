export interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  maxLength?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** "string, at most 50 characters", "active or cancel" */
function typeOf(schema: JsonSchema): string {
  const known = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (known.length > 0) return known.map(typeOf).join(" or ");
  if (schema.enum) return schema.enum.map(String).join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  const types = [schema.type ?? "value"].flat().filter((type) => type !== "null");
  const shown = types.map((type) => (type === "array" ? "array" : type)).join(" or ");
  return schema.maxLength ? `${shown}, at most ${schema.maxLength} characters` : shown;
}

const describe = (schema: JsonSchema): string | undefined =>
  schema.description ?? schema.anyOf?.map(describe).find((text) => text !== undefined);

/** @param id the endpoint's anchor: the rows' ids begin with it */
export function SchemaTable({ id, schema, caption }: { id: string; schema: JsonSchema; caption: string }) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">What it is</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(schema.properties ?? {}).map(([name, field]) => (
          <tr key={name} id={fieldAnchor(id, name)}>
            <th scope="row">
              <code>{name}</code>
              {schema.required?.includes(name) && <span className="required"> required</span>}
            </th>
            <td>{typeOf(field)}</td>
            <td>{describe(field)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const fieldAnchor = (endpoint: string, field: string): string => `${endpoint}.${field}`;
