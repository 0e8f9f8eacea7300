import { hashKey } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { ApiFailure } from "@/lib/client/call";
import { doubleClick } from "@/lib/client/use-mutation";
import type { FieldErrors } from "@/lib/core/errors";
import { setFieldErrors } from "./contract-form";
import { useExplainFailure } from "./explain-failure";
import { useIdempotencyKey } from "./idempotency-key";
import { useUnsaved } from "./unsaved";

interface SheetFormOptions<Values extends FieldValues> {
  /** Of contractResolver: the API's own rules and words. */
  resolver: Resolver<Values>;
  defaultValues: DefaultValues<Values>;
  /** In the order in which they stand on the screen. */
  fields: readonly Path<Values>[];
  /**
   * @param idempotencyKey however often the form is sent, it has one effect; another one after a refusal
   * @returns false when nothing was sent after all
   */
  send: (values: Values, idempotencyKey: string) => Promise<unknown>;
  /** The server's texts as the form says them. */
  reword?: (errors: FieldErrors) => FieldErrors;
  /** Whether the form stands empty again once it was sent. */
  emptied?: boolean;
  /** Whether the answer is shown once, where the form stands: then nobody leaves it unasked while it is under way. */
  secret?: boolean;
}

/** A form that says what is wrong as soon as a field is left, sends once, and shows what the server says against it. */
export function useSheetForm<Values extends FieldValues>(options: SheetFormOptions<Values>) {
  const { resolver, defaultValues, fields, send, emptied = false, secret = false } = options;
  const { reword = (errors: FieldErrors) => errors } = options;
  const t = useTranslations("shell.form");
  const explainFailure = useExplainFailure();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef(false);
  const pressed = useRef(0);
  /** What stands in the form once it was sent, as long as nobody types. */
  const done = useRef<string | null>(null);
  const { register, handleSubmit, formState, setError, setValue, getValues, reset, control } = useForm<Values>({
    resolver,
    defaultValues,
    mode: "onTouched",
  });

  const awaited = secret && formState.isSubmitting;
  // What a form puts there by itself is not dirty.
  useUnsaved(awaited || Object.keys(formState.dirtyFields).length > 0, awaited ? "secret" : "typed");

  async function submit(values: Values): Promise<void> {
    if (sending.current) return; // the second half of a double click, before the button shows that it is busy
    sending.current = true;
    setProblem(null);
    const sent = hashKey([getValues()]);
    try {
      if ((await send(values, idempotencyKey)) === false) return;
      if (emptied) reset();
      else reset(values, { keepValues: true });
      done.current = emptied ? hashKey([getValues()]) : sent;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      renewKey(error);
      const rest = setFieldErrors(setError, fields, reword(error.errors));
      if (error.status !== 422) setProblem(explain(error));
      else if (rest.length > 0) setProblem(rest.join(" "));
    } finally {
      sending.current = false;
    }
  }

  function explain(error: ApiFailure): string {
    if (error.code === "idempotency_key_reused") return t("alreadyWorked");
    return explainFailure(error);
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
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      const now = performance.now();
      const since = now - pressed.current;
      pressed.current = now;
      // The second half of a double click, after the answer to the first: nobody has typed anything since.
      if (since < doubleClick && done.current === hashKey([getValues()])) return;
      void handleSubmit(submit)(event);
    },
  };
}
