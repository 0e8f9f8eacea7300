import type { z } from "zod";
import { isBlank } from "@/lib/core/blank";
import { type FieldErrors, ValidationError } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Record<string, string> = {
  string: "must be a string",
  boolean: "field must be true or false",
  number: "must be an integer",
  int: "must be an integer",
  array: "must be an array",
};

/** The message for a violated rule, from the contract's table (section 5). A schema's own message takes precedence. */
export function fieldMessage(issue: RawIssue): string {
  const field = String(issue.path?.[0] ?? "body");
  if (issue.input === undefined || issue.input === null) return fieldMessages.required(field);
  switch (issue.code) {
    case "invalid_type":
      return `The ${field} ${kinds[issue.expected] ?? "is invalid"}.`;
    case "too_big":
      return issue.origin === "string"
        ? `The ${field} must not be greater than ${issue.maximum} characters.`
        : `The ${field} must not be greater than ${issue.maximum}.`;
    case "too_small":
      return `The ${field} must be at least ${issue.minimum}.`;
    case "invalid_format":
      if (issue.format === "email") return fieldMessages.email(field);
      if (issue.format === "url") return fieldMessages.url(field);
      return `The ${field} format is invalid.`;
    case "invalid_value":
      return `The selected ${field} is invalid.`;
    default:
      return `The ${field} is invalid.`;
  }
}

/** Texts that show nothing count as missing. */
export function blanksToNull(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, typeof value === "string" && isBlank(value) ? null : value]),
  );
}

/**
 * @param more errors by rules that no schema can know, reported in the same response
 * @throws ValidationError with every bad field, in the schema's order
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: Record<string, unknown>,
  more: FieldErrors = {},
): z.output<S> {
  const result = schema.safeParse(input, { error: fieldMessage });
  if (result.success && Object.keys(more).length === 0) return result.data;
  const errors: FieldErrors = {};
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? "body");
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  throw new ValidationError({ ...errors, ...more });
}
