"use client";

import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button, buttonVariants } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { EmailField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type Tokenization, tokenizationInput } from "@/lib/resources/tokenizations/contract";
import { type TokenizationBody, useCreateTokenization } from "@/lib/resources/tokenizations/queries";

const fields = ["email", "title", "description"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = (values: Values): TokenizationBody => ({
  email: values.email.trim(),
  title: values.title.trim(),
  description: values.description.trim(),
});

const resolver = contractResolver<Values>(tokenizationInput, toBody);

interface CreateTokenizationProps {
  /** What stands in the form to begin with. */
  initial?: Partial<Values>;
  onDone: () => void;
}

/** The form, and after it the link to send. */
export function CreateTokenization({ initial, onDone }: CreateTokenizationProps) {
  const t = useTranslations("tokenizations.created");
  const [created, setCreated] = useState<Tokenization | null>(null);
  if (!created) return <TokenizationForm initial={initial} onCreated={setCreated} />;
  return (
    <div className="grid content-start gap-5 overflow-y-auto p-5">
      <div className="flex items-start gap-3">
        <CheckCircleIcon size={24} weight="fill" className="mt-0.5 shrink-0 text-kumo-success" aria-hidden />
        <div className="min-w-0">
          {/* The form is gone, and with it the focus: it comes here, so that a screen reader says how it went. */}
          <h3
            ref={(heading) => heading?.focus()}
            tabIndex={-1}
            className="text-[15px] font-semibold text-kumo-strong outline-none"
          >
            {t("heading")}
          </h3>
          <p className="text-base wrap-anywhere text-kumo-subtle">{t("text", { email: created.email })}</p>
        </div>
      </div>
      <p className="rounded-lg bg-kumo-recessed px-3 py-2.5 font-mono text-sm break-all text-kumo-default select-all">
        {created.activation_url}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={created.activation_url} label={t("copyLabel")} variant="primary">
          {t("copy")}
        </CopyButton>
        <a
          href={created.activation_url}
          target="_blank"
          rel="noreferrer"
          className={buttonVariants({ variant: "secondary" })}
        >
          {t.rich("open", {
            newTab: (words) => (
              <>
                <ArrowSquareOutIcon size={16} aria-hidden />
                <span className="sr-only">{words}</span>
              </>
            ),
          })}
        </a>
        <Button variant="ghost" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}

interface TokenizationFormProps {
  initial?: Partial<Values>;
  onCreated: (tokenization: Tokenization) => void;
}

function TokenizationForm({ initial, onCreated }: TokenizationFormProps) {
  const t = useTranslations("tokenizations.form");
  const create = useCreateTokenization();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { email: "", title: "", description: "", ...initial },
    fields,
    send: async (values, idempotencyKey) =>
      onCreated(await create.mutateAsync({ body: toBody(values), idempotencyKey })),
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <EmailField {...field("email")} label={t("email")} hint={t("emailHint")} />
      <TextField {...field("title")} label={t("cardTitle")} hint={t("cardTitleHint")} />
      <TextAreaField {...field("description")} label={t("description")} hint={t("descriptionHint")} rows={3} />
    </SheetForm>
  );
}
