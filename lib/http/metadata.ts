/** Metadata: a merchant's own keys and values on a resource, in bodies and in the filters of lists. */
import { z } from "zod";
import { maxKeyLength, maxKeys, maxValueLength, metadataKey } from "@/lib/core/metadata-key";
import { optional, text } from "./fields";

export const maxNotesLength = 5_000;

const keyShape = new RegExp(`^${metadataKey.source}$`);
const keyRule = `1 to ${maxKeyLength} letters, digits, dots, hyphens or underscores`;

/** Control characters, except tabs and line ends. */
const control = /[^\P{Cc}\t\n\r]/u;

const value = text(maxValueLength);

/** `__proto__` would be no key of a JavaScript object that a caller makes of the response. */
const isKey = (key: string): boolean => keyShape.test(key) && key !== "__proto__";

/** What is wrong with one key and its value; null if nothing is. */
function entryProblem(key: string, given: unknown, removes: boolean): string | null {
  const name = JSON.stringify(key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}…` : key);
  if (!isKey(key)) return `The metadata key ${name} is invalid: use ${keyRule}.`;
  if (given === null && removes) return null;
  if (typeof given !== "string") return `The metadata value of ${name} must be a string.`;
  if (!value.safeParse(given, { error: () => "" }).success)
    return `The metadata value of ${name} must not be greater than ${maxValueLength} characters.`;
  return control.test(given) ? `The metadata value of ${name} must not contain control characters.` : null;
}

function problems(given: unknown, removes: boolean): string[] {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return [removes ? "The metadata must be an object." : "The metadata must name a key: metadata[order_id]=1001."];
  const entries = Object.entries(given);
  if (entries.filter(([, text]) => text !== null && text !== "").length > maxKeys) return [tooManyKeys];
  return entries.flatMap(([key, text]) => entryProblem(key, text, removes) ?? []);
}

export const tooManyKeys = `The metadata must not have more than ${maxKeys} keys.`;

/** Checks before zod reads the object, because zod leaves out `__proto__`. */
const checked = <S extends z.ZodType>(schema: S, removes: boolean) =>
  z.preprocess((given, context) => {
    for (const message of problems(given, removes)) context.issues.push({ code: "custom", input: given, message });
    return given;
  }, schema);

/** In a body: a value that is null or empty removes its key. */
export const metadata = checked(z.record(z.string(), z.string().nullable()), true).describe(
  `Your own keys and values, at most ${maxKeys}: a key is ${keyRule}, a value a text of at most ${maxValueLength} characters. Keys ` +
    "that are not sent keep their values; null or an empty text removes a key. null in place of the object removes all.",
);

export const notes = text(maxNotesLength)
  .refine((given) => !control.test(given), "The notes must not contain control characters.")
  .describe("Free text for your team. The payer never sees it. null removes it.");

/** For lists of rows with metadata. */
export const metadataFilter = {
  metadata: optional(
    checked(z.record(z.string(), z.string()), false).describe(
      "As metadata[order_id]=1001: rows with this value. Several keys: rows with all of them.",
    ),
  ),
};

const keyed = /^metadata\[([^\]]*)\]$/s;

/** The name of a query parameter in the contract: `metadata` for `metadata[order_id]`. */
export const nameOfParameter = (given: string): string => (keyed.test(given) ? "metadata" : given);

/** A query as the contract has it, with the keys of `metadata` in one object. */
export function parametersOf(params: URLSearchParams): Record<string, unknown> {
  const entries: [string, string][] = [];
  const plain: [string, unknown][] = [];
  for (const [name, given] of params) {
    const key = keyed.exec(name)?.[1];
    if (key === undefined) plain.push([name, given]);
    else entries.push([key, given]);
  }
  return Object.fromEntries(entries.length > 0 ? [...plain, ["metadata", Object.fromEntries(entries)]] : plain);
}
