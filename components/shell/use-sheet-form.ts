import { type FormEvent, useRef, useState } from "react";
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from "react-hook-form";
import { setFieldErrors } from "@/components/ui/contract-form";
import { explainFailure } from "@/components/ui/explain-failure";
import { ApiFailure } from "@/lib/api/client";
import type { FieldErrors } from "@/lib/api/errors";

interface SheetFormOptions<Values extends FieldValues> {
  /** Of contractResolver: the API's own rules and words. */
  resolver: Resolver<Values>;
  defaultValues: DefaultValues<Values>;
  /** In the order in which they stand on the screen. */
  fields: readonly Path<Values>[];
  /** @param idempotencyKey one for each opening: however often the form is sent, it has one effect */
  send: (values: Values, idempotencyKey: string) => Promise<void>;
  /** The server's texts as the form says them. */
  reword?: (errors: FieldErrors) => FieldErrors;
}

/** A form that says what is wrong as soon as a field is left, sends once, and shows what the server says against it. */
export function useSheetForm<Values extends FieldValues>(options: SheetFormOptions<Values>) {
  const { resolver, defaultValues, fields, send, reword = (errors: FieldErrors) => errors } = options;
  const [idempotencyKey] = useState(randomKey);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef(false);
  const { register, handleSubmit, formState, setError, setValue, control } = useForm<Values>({
    resolver,
    defaultValues,
    mode: "onTouched",
  });

  async function submit(values: Values): Promise<void> {
    if (sending.current) return; // the second half of a double click, before the button shows that it is busy
    sending.current = true;
    setProblem(null);
    try {
      await send(values, idempotencyKey);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const rest = setFieldErrors(setError, fields, reword(error.errors));
      if (error.status !== 422) setProblem(explain(error));
      else if (rest.length > 0) setProblem(rest.join(" "));
    } finally {
      sending.current = false;
    }
  }

  return {
    register,
    setValue,
    /** For what is shown of the values as they are typed. */
    control,
    problem,
    busy: formState.isSubmitting,
    errorOf: (field: Path<Values>): string | undefined => {
      const message = formState.errors[field]?.message;
      return typeof message === "string" ? message : undefined;
    },
    onSubmit: (event: FormEvent) => void handleSubmit(submit)(event),
  };
}

/** Not randomUUID: browsers have that only on https and localhost. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function explain(error: ApiFailure): string {
  if (error.code === "idempotency_key_reused")
    return "An earlier attempt from this form has already worked. Look at the list, then open the form again.";
  if (error.code === "idempotency_key_in_flight")
    return "An earlier attempt is still at work. Please wait a moment and try again.";
  return explainFailure(error);
}
