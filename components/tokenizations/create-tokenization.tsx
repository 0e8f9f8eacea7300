import { useState } from "react";
import { useTranslations } from "use-intl";
import { CustomerEmailField } from "@/components/customers/customer-email-field";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Created } from "@/components/ui/created";
import { TextAreaField, TextField } from "@/components/ui/form-fields";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
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
  /** For a request to this payer. */
  initial?: Partial<Values>;
  onDone: () => void;
}

export function CreateTokenization({ initial, onDone }: CreateTokenizationProps) {
  const t = useTranslations("tokenizations.created");
  const [created, setCreated] = useState<Tokenization | null>(null);
  if (!created) return <TokenizationForm initial={initial} onCreated={setCreated} />;
  return (
    <Created title={t("heading")} text={t("text", { email: created.email })} value={created.activation_url}>
      <CopyButton text={created.activation_url} label={t("copyLabel")} variant="primary">
        {t("copy")}
      </CopyButton>
      <NewTabLink href={created.activation_url}>{t.rich("open", { newTab })}</NewTabLink>
      <Button variant="ghost" onClick={onDone}>
        {t("done")}
      </Button>
    </Created>
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
    <SheetForm label={t("title")} action={t(initial ? "requestAction" : "action")} {...form}>
      <CustomerEmailField {...field("email")} label={t("email")} hint={t("emailHint")} />
      <TextField {...field("title")} label={t("cardTitle")} hint={t("cardTitleHint")} />
      <TextAreaField {...field("description")} label={t("description")} hint={t("descriptionHint")} rows={3} />
    </SheetForm>
  );
}
