import { zodResolver } from "@hookform/resolvers/zod";
import type { FieldValues, FieldErrors as FormErrors, Path, Resolver, UseFormSetError } from "react-hook-form";
import type { z } from "zod";
import type { FieldErrors } from "@/lib/core/errors";
import { blanksToNull, fieldMessage } from "@/lib/http/validation";

/**
 * Resolves a form against the API's own contract: the values become the body that will be sent, and are validated by
 * the server's own schema and messages. The values are submitted unparsed: the server parses again.
 */
export function contractResolver<Values extends FieldValues>(
  schema: z.ZodType<FieldValues, FieldValues>,
  toBody: (values: Values) => Record<string, unknown>,
  reword: (errors: FieldErrors) => FieldErrors = (errors) => errors,
): Resolver<Values> {
  const resolve = zodResolver(schema, { error: fieldMessage }, { raw: true });
  return async (values, context, options) => {
    const { errors } = await resolve(blanksToNull(toBody(values)), context, {
      ...options,
      fields: {},
      names: undefined,
    });
    if (Object.keys(errors).length === 0) return { values, errors: {} };
    // The resolver does not tell the words of a union (an amount) which field they are for.
    const textOf = (field: string, message: unknown) => String(message).replace(/^The body /, `The ${field} `);
    const texts = Object.entries(errors).map(([field, error]) => [field, [textOf(field, error?.message)]]);
    const entries = Object.entries(reword(Object.fromEntries(texts)));
    const worded = entries.map(([field, [message]]) => [field, { type: "contract", message }]);
    return { values: {}, errors: Object.fromEntries(worded) as FormErrors<Values> };
  };
}

/**
 * Puts a 422's texts on their fields and the focus on the first of them, in the order in which the form shows them.
 * @returns the texts of fields that this form does not show
 */
export function setFieldErrors<Values extends FieldValues>(
  setError: UseFormSetError<Values>,
  fields: readonly Path<Values>[],
  errors: FieldErrors,
): string[] {
  const shown = fields.filter((field) => errors[field]?.length);
  for (const [index, field] of shown.entries())
    setError(field, { type: "server", message: errors[field]?.[0] }, { shouldFocus: index === 0 });
  return Object.entries(errors).flatMap(([field, texts]) => (fields.some((name) => name === field) ? [] : texts));
}
