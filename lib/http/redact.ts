import { z } from "zod";
import type { Endpoint } from "./endpoint";

const redacted = "[redacted]";

const maxKeptBytes = 4_096;

/** A larger body is not parsed or logged. */
export const maxReadBytes = 16_384;

interface Schema {
  "x-sensitive"?: boolean;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
}

interface Shapes {
  query: Schema;
  request: Schema;
  answer: Schema;
}

const plain: Schema = {};

const schemaOf = (schema: z.ZodType | undefined, io: "input" | "output"): Schema =>
  schema ? (z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema) : plain;

function shapesOf({ query, body, response, list }: Endpoint): Shapes {
  const data = schemaOf(response, "output");
  const fields = ["success", "message", "code", "reason", "payment_id"];
  const page = ["per_page", "next_cursor", "prev_cursor", "total", "total_is_lower_bound", "sums"];
  const meta = ["timestamp", "timezone", ...page];
  const named = (names: string[]) => Object.fromEntries(names.map((name) => [name, plain]));
  const errors: Schema = { additionalProperties: { items: plain } };
  return {
    query: schemaOf(query, "input"),
    request: schemaOf(body, "input"),
    answer: {
      properties: { ...named(fields), errors, data: list ? { items: data } : data, meta: { properties: named(meta) } },
    },
  };
}

const known = new WeakMap<Endpoint, Shapes>();

function shapes(endpoint: Endpoint): Shapes {
  const shapes = known.get(endpoint) ?? shapesOf(endpoint);
  known.set(endpoint, shapes);
  return shapes;
}

/** Card-like digits and our own secrets, which can also appear in a field that is shown, such as a title. */
const secrets = /\d(?:[ .-]?\d){12,18}|(?:sk_(?:test|live)_|whsec_)[\w+/=-]*/g;

export const redactText = (text: string): string => text.replace(secrets, redacted);

/**
 * A JSON body for the request log. A field is shown if the endpoint's contract names it and does not mark it as sensitive
 * (lib/http/fields.ts).
 * @returns at most 4 kB; null for an empty body
 */
export function redactBody(text: string, endpoint: Endpoint, of: "request" | "answer"): string | null {
  if (text === "") return null;
  if (text.length > maxReadBytes) return "[more than 16 kB: not kept]";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "[not JSON]";
  }
  return cut(JSON.stringify(redact(value, [shapes(endpoint)[of]], 0)));
}

/** A schema and all its `anyOf` alternatives. */
const alternatives = (schema: Schema): Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];

function fieldOf(schema: Schema, name: string): Schema[] {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return [schema.properties[name] ?? plain];
  const rest = schema.additionalProperties;
  return typeof rest === "object" && Object.keys(rest).length > 0 ? [rest] : [];
}

/** @param schemas the contract's schemas of the value; empty if the contract does not name it */
function redact(value: unknown, schemas: Schema[], depth: number): unknown {
  if (value === null) return null;
  const all = schemas.flatMap(alternatives);
  if (all.length === 0 || depth >= 8 || all.some((schema) => schema["x-sensitive"])) return redacted;
  if (typeof value === "string") return redactText(value);
  if (typeof value === "number") return Math.abs(value) >= 1e11 ? redacted : value;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => items ?? []);
    return value.map((item) => redact(item, items, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      nameOf(name),
      redact(
        inner,
        all.flatMap((schema) => fieldOf(schema, name)),
        depth + 1,
      ),
    ]),
  );
}

/** Callers choose field names too, so a name can hold a secret. */
const nameOf = (name: string): string => redactText(name.slice(0, 64));

/** Query parameters for the request log, in their order; null when there are none. */
export function redactQuery(params: URLSearchParams, endpoint: Endpoint): string | null {
  if (params.size === 0) return null;
  const { query } = shapes(endpoint);
  const kept = new URLSearchParams();
  for (const [name, value] of params) kept.append(nameOf(name), String(redact(value, fieldOf(query, name), 0)));
  return cut(kept.toString());
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxKeptBytes) return text;
  // Drops a character that the cut would halve.
  return `${new TextDecoder().decode(bytes.subarray(0, maxKeptBytes - 3), { stream: true })}…`;
}
