import type { FieldValues, FieldErrors as FormErrors, Path, Resolver, UseFormSetError } from "react-hook-form";
import type { z } from "zod";
import { loadWhenIdle } from "@/lib/client/idle";
import { schemaOf } from "@/lib/client/late-schema";
import type { FieldErrors } from "@/lib/core/errors";
import { blanksToNull } from "@/lib/http/validation";

const loadValidation = () => import("./contract-validation");
loadWhenIdle(loadValidation);

const notLoaded = "A part of the page could not be loaded. Check the connection and try again.";

/** Whether a script did not come. Every other error is a defect of ours, in the script or in what it exports. */
const isLoadFailure = (error: unknown): boolean => error instanceof Error && error.name === "ChunkLoadError";

/** Of a list's field: the message of its first wrong entry, unless the list as a whole has one. */
const messageOf = (error: unknown): unknown =>
  Array.isArray(error) ? messageOf(error.find(Boolean)) : (error as { message?: unknown } | undefined)?.message;

/**
 * Validates a form with the API's own schema and messages. Values are submitted unparsed: the server parses them. If the script
 * for it does not load, the form is not sent, and its first field says so.
 * @throws every other error while the schema loads
 */
export function contractResolver<Values extends FieldValues>(
  schema: z.ZodType<FieldValues, FieldValues>,
  toBody: (values: Values) => Record<string, unknown>,
  reword: (errors: FieldErrors) => FieldErrors = (errors) => errors,
): Resolver<Values> {
  return async (values, context, options) => {
    const validator = await Promise.all([loadValidation(), schemaOf(schema)]).catch((error: unknown) => {
      if (isLoadFailure(error)) return null;
      throw error;
    });
    if (!validator) {
      const [first = "body"] = Object.keys(options.fields);
      return { values: {}, errors: { [first]: { type: "load", message: notLoaded } } as FormErrors<Values> };
    }
    const [{ resolverOf }, loaded] = validator;
    const { errors } = await resolverOf(loaded)(blanksToNull(toBody(values)), context, {
      ...options,
      fields: {},
      names: undefined,
    });
    if (Object.keys(errors).length === 0) return { values, errors: {} };
    // The resolver does not name the field in a union's message.
    const textOf = (field: string, message: unknown) => String(message).replace(/^The body /, `The ${field} `);
    const texts = Object.entries(errors).map(([field, error]) => [field, [textOf(field, messageOf(error))]]);
    const entries = Object.entries(reword(Object.fromEntries(texts)));
    const worded = entries.map(([field, [message]]) => [field, { type: "contract", message }]);
    return { values: {}, errors: Object.fromEntries(worded) as FormErrors<Values> };
  };
}

/**
 * Shows a 422's messages on their fields and focuses the first one in the form's order.
 * @returns the messages of fields that the form does not have
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
