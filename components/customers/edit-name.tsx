import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type Customer, customerUpdate } from "@/lib/resources/customers/contract";
import { useChangeCustomer } from "@/lib/resources/customers/queries";

const fields = ["name"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ name }: Values) => ({ name: name.trim() || null });
const resolver = contractResolver<Values>(customerUpdate, toBody);

export function EditName({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const t = useTranslations("customers.edit");
  const change = useChangeCustomer(customer.email);
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { name: customer.name ?? "" },
    fields,
    send: async (values) => {
      await change.mutateAsync(toBody(values));
      toasts.add({ title: t("done") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <TextField {...field("name")} label={t("name")} hint={t("nameHint")} optional />
    </SheetForm>
  );
}
