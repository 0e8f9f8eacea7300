import type { z } from "zod";

type Check = (value: unknown) => boolean;

const checks = new WeakMap<z.core.$ZodType, Check>();
const never: Check = () => false;

/**
 * Whether zod's parsing would accept the value and return an equal one: no unknown field, fields in the schema's order. Then the
 * caller can skip parsing, whose copies cost more than this check (docs/performance.md, "What was tried").
 * @returns false also for each kind of schema that is not listed below: zod must parse those
 */
export const conforms = (schema: z.core.$ZodType, value: unknown): boolean => checkOf(schema)(value);

function checkOf(schema: z.core.$ZodType): Check {
  const known = checks.get(schema);
  if (known) return known;
  checks.set(schema, never); // until it is made: a schema that contains itself gets `never` for its inner values
  const check = newCheck(schema);
  checks.set(schema, check);
  return check;
}

function newCheck({ _zod: { def: anyDef, traits, values } }: z.core.$ZodType): Check {
  const def = anyDef as z.core.$ZodTypes["_zod"]["def"];
  const isSafeInt = def.type === "number" && "format" in def && def.format === "safeint";
  // zod counts a format, such as z.email(), as a check.
  if (def.checks?.length || (traits.has("$ZodCheck") && !isSafeInt)) return never;
  switch (def.type) {
    case "string":
      return (value) => typeof value === "string";
    case "boolean":
      return (value) => typeof value === "boolean";
    case "number":
      return isSafeInt ? Number.isSafeInteger : Number.isFinite;
    case "enum":
    case "literal":
      return values ? (value) => values.has(value as z.core.util.Primitive) : never;
    case "nullable": {
      const check = checkOf(def.innerType);
      return (value) => value === null || check(value);
    }
    case "array":
      return arrayCheck(checkOf(def.element));
    case "record":
      return isPlainText(def.keyType) ? recordCheck(checkOf(def.valueType)) : never;
    case "object":
      return def.catchall ? never : objectCheck(def.shape);
    default:
      return never;
  }
}

function arrayCheck(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!check(item)) return false; // `every` would skip holes
    return true;
  };
}

/** Whether the schema of a record's key accepts every text. */
const isPlainText = ({ _zod: { def, traits } }: z.core.$ZodType): boolean =>
  def.type === "string" && !def.checks?.length && !traits.has("$ZodCheck");

function recordCheck(check: Check): Check {
  return (value) => {
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
    const fields = value as Record<string, unknown>;
    for (const name in fields) if (name === "__proto__" || !check(fields[name])) return false; // zod drops that name
    return true;
  };
}

function objectCheck(shape: z.core.$ZodShape): Check {
  const names = Object.keys(shape);
  const checks = Object.values(shape).map(checkOf);
  return (value) => {
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
    const fields = value as Record<string, unknown>;
    let index = 0;
    for (const name in fields) {
      if (name !== names[index] || checks[index]?.(fields[name]) !== true) return false;
      index++;
    }
    return index === names.length;
  };
}
