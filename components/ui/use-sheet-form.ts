import { type FormEvent, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type RegisterOptions,
  type Resolver,
  useForm,
} from "react-hook-form";
import { useTranslations } from "use-intl";
import { ApiFailure } from "@/lib/client/api-failure";
import { doubleClickMs } from "@/lib/client/use-mutation";
import type { FieldErrors } from "@/lib/core/errors";
import { isFieldMessage } from "@/lib/core/field-messages";
import { setFieldErrors } from "./contract-form";
import { useExplainFailure } from "./explain-failure";
import { useIdempotencyKey } from "./idempotency-key";
import { useUnsaved } from "./unsaved";

/** The fields for which the form has a sentence of its own, in place of what they lack. */
const worded = [
  ...(["amount", "code", "description", "email", "name", "package_id", "password", "redirect_url", "title"] as const),
  ...(["expires_at", "tax_percent", "url"] as const),
];
/** In place of everything that is wrong with them. */
const alwaysWorded = ["expires_at", "tax_percent"];

/** Replaces underscores in field names: "thank_you_text" becomes "thank you text". */
const withSpaces = (text: string): string => text.replace(/[a-z]+(_[a-z]+)+/g, (name) => name.replace(/_/g, " "));

interface SheetFormOptions<Values extends FieldValues> {
  resolver: Resolver<Values>;
  defaultValues: DefaultValues<Values>;
  fields: readonly Path<Values>[];
  /**
   * @param idempotencyKey the same for every try, until the server refuses one
   * @returns false if nothing was sent
   */
  send: (values: Values, idempotencyKey: string) => Promise<unknown>;
  reword?: ((errors: FieldErrors) => FieldErrors) | undefined;
  /**
   * Of an edit: reads the resource after somebody else has changed it (412), so that `send` changes what it is now.
   * @returns the form's values of it
   */
  readAgain?: (() => Promise<Values>) | undefined;
  /** Whether the form is emptied after it was sent. */
  emptied?: boolean;
  /** Whether the response is a secret that is shown once. Leaving then asks first, also while the request runs. */
  secret?: boolean;
}

export function useSheetForm<Values extends FieldValues>(options: SheetFormOptions<Values>) {
  const { resolver, defaultValues, fields, send, readAgain, emptied = false, secret = false } = options;
  const { reword = (errors: FieldErrors) => errors } = options;
  const t = useTranslations("shell.form");
  const enter = useTranslations("ui.enter");
  const explainFailure = useExplainFailure();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef(false);
  const submittedAt = useRef(0);
  const sent = useRef(false);
  /** What an edit changes. */
  const lastRead = useRef<FieldValues>(defaultValues);
  const { register, handleSubmit, formState, setError, setValue, reset, control } = useForm<Values>({
    resolver,
    defaultValues,
    mode: "onTouched",
  });

  const awaitsSecret = secret && formState.isSubmitting;
  // Not isDirty: values that the form sets itself do not count.
  const isDirty = Object.keys(formState.dirtyFields).length > 0;
  useUnsaved(awaitsSecret || isDirty, awaitsSecret ? "secret" : "typed");

  async function sendMerged(values: Values): Promise<unknown> {
    try {
      return await send(values, idempotencyKey);
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 412 && readAgain)) throw error;
      const merged = merge(values, await readAgain());
      return merged ? send(merged, idempotencyKey) : false;
    }
  }

  /** @returns both people's changes; null if a field was changed by both: another submit then replaces theirs */
  function merge(mine: Values, theirs: Values): Values | null {
    const was = lastRead.current;
    const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
    const changed = (Object.keys(theirs) as Path<Values>[]).filter((name) => differ(theirs[name], was[name]));
    const clashing = changed.filter((name) => differ(mine[name], was[name]) && differ(mine[name], theirs[name]));
    lastRead.current = theirs;
    reset(theirs, { keepDirtyValues: true });
    if (clashing.length === 0) return { ...mine, ...Object.fromEntries(changed.map((name) => [name, theirs[name]])) };
    setProblem(t("changedMeanwhile"));
    for (const [index, name] of clashing.entries()) {
      const value = String(theirs[name]);
      const message = value === "" ? t("emptiedMeanwhile") : t("changedTo", { value });
      setError(name, { type: "meanwhile", message }, { shouldFocus: index === 0 });
    }
    return null;
  }

  async function submit(values: Values): Promise<void> {
    if (sending.current) return; // the button is not disabled yet
    sending.current = true;
    setProblem(null);
    try {
      if ((await sendMerged(values)) === false) return;
      if (emptied) reset();
      else reset(values, { keepValues: true });
      sent.current = true;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      renewKey(error);
      const rest = setFieldErrors(setError, fields, reword(error.errors));
      if (error.status !== 422) setProblem(explain(error));
      else if (rest.length > 0) setProblem(withSpaces(rest.join(" ")));
    } finally {
      sending.current = false;
    }
  }

  function explain(error: ApiFailure): string {
    if (error.code === "idempotency_key_reused") return t("alreadyWorked");
    return explainFailure(error);
  }

  /** Hides the error of an unchanged field until the form is submitted: clicking elsewhere in an empty form is no mistake. */
  const errorOf = (field: Path<Values>): string | undefined => {
    const { message, type } = formState.errors[field] ?? {};
    const isShown =
      formState.submitCount > 0 || (formState.dirtyFields as Record<string, unknown>)[field] !== undefined;
    if (!isShown || typeof message !== "string") return undefined;
    if (type === "meanwhile") return message;
    const own = worded.find((name) => field.endsWith(name));
    if (isFieldMessage(message)) return enter(own ?? "other");
    return own && alwaysWorded.includes(own) ? enter(own) : withSpaces(message);
  };

  return {
    register,
    errorOf,
    /** With the default value, so that the server's HTML shows it. */
    field: <Name extends Path<Values>>(name: Name, options?: Pick<RegisterOptions<Values, Name>, "deps">) => ({
      input: { ...register(name, options), defaultValue: (defaultValues as FieldValues)[name] as string | undefined },
      error: errorOf(name),
    }),
    setValue,
    control,
    problem,
    busy: formState.isSubmitting,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      const sinceLast = performance.now() - submittedAt.current;
      submittedAt.current += sinceLast;
      // The second click of a double click.
      if (sent.current && !isDirty && sinceLast < doubleClickMs) return;
      void handleSubmit(submit)(event);
    },
  };
}
