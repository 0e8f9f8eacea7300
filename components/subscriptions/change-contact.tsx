import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { EmailField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { contactInput, type Subscription } from "@/lib/resources/subscriptions/contract";
import { useChangeSubscription } from "@/lib/resources/subscriptions/queries";
import { useAskDuplicate } from "./ask-duplicate";

const fields = ["email", "phone_no"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ email, phone_no }: Values) => ({ email: email.trim(), phone_no: phone_no.trim() || null });
const resolver = contractResolver<Values>(contactInput, toBody);

export function ChangeContact({ subscription, onDone }: { subscription: Subscription; onDone: () => void }) {
  const { _id, email, phone_no, updated_at: readAt } = subscription;
  const t = useTranslations("subscriptions.changeContact");
  const change = useChangeSubscription(_id);
  const toasts = useToasts();
  const askDuplicate = useAskDuplicate("changeContact");
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { email, phone_no: phone_no ?? "" },
    fields,
    send: (values) => {
      const wanted = toBody(values);
      return askDuplicate({
        email: wanted.email,
        send: (over) =>
          change.mutateAsync({
            ...(wanted.email !== email && { email: wanted.email }),
            ...(wanted.phone_no !== phone_no && { phone_no: wanted.phone_no }),
            ...over,
            readAt,
          }),
        onDone: (changed) => {
          toasts.add({ title: t("done", { email: changed.email }) });
          onDone();
        },
      });
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <EmailField {...field("email")} label={t("email")} />
      <div className="grid gap-2 text-base leading-relaxed text-kumo-subtle">
        <p>{t("effectOnCard")}</p>
        <p>{t("effectOnPeriods")}</p>
      </div>
      <TextField {...field("phone_no")} label={t("phone")} optional hint={t("phoneHint")} type="tel" />
    </SheetForm>
  );
}
