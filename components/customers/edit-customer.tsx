import type { Resolver } from "react-hook-form";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type Customer, customerUpdate } from "@/lib/resources/customers/contract";
import { useChangeCustomer } from "@/lib/resources/customers/queries";
import { entriesOf, isEntry, metadataChange, metadataText } from "./metadata-text";

const fields = ["name", "notes", "metadata"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ name, notes, metadata }: Values) => ({ name, notes, metadata: entriesOf(metadata) });
const byContract = contractResolver<Values>(customerUpdate, toBody);

interface EditCustomerProps {
  customer: Customer;
  onDone: () => void;
}

export function EditCustomer({ customer, onDone }: EditCustomerProps) {
  const { email, name, notes, metadata } = customer;
  const t = useTranslations("customers.edit");
  const change = useChangeCustomer(email);
  const toasts = useToasts();
  const resolver: Resolver<Values> = async (values, context, options) => {
    const wrong = values.metadata.split("\n").find((line) => line.trim() !== "" && !isEntry(line));
    if (wrong === undefined) return byContract(values, context, options);
    return { values: {}, errors: { metadata: { type: "line", message: t("noValue", { line: wrong.trim() }) } } };
  };
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { name: name ?? "", notes: notes ?? "", metadata: metadataText(metadata) },
    fields,
    send: async (values) => {
      await change.mutateAsync({
        name: values.name.trim() || null,
        notes: values.notes.trim() || null,
        metadata: metadataChange(metadata, values.metadata),
      });
      toasts.add({ title: t("done") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <TextField {...field("name")} label={t("name")} optional />
      <TextAreaField {...field("notes")} label={t("notes")} hint={t("notesHint")} optional rows={6} />
      <TextAreaField
        {...field("metadata")}
        label={t("metadata")}
        hint={t("metadataHint")}
        optional
        rows={4}
        spellCheck={false}
        className="font-mono"
      />
    </SheetForm>
  );
}
