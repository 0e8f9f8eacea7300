import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { useCardWords } from "@/components/tokenizations/words";
import { contractResolver } from "@/components/ui/contract-form";
import { useDialogs } from "@/components/ui/dialogs";
import { EmailField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import { contactInput, type Subscription } from "@/lib/resources/subscriptions/contract";
import {
  readSubscription,
  subscriptionQueryOptions,
  useChangeSubscription,
} from "@/lib/resources/subscriptions/queries";
import { chargedCard, savedCardsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { useAskDuplicate } from "./ask-duplicate";

const fields = ["email", "phone_no"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ email, phone_no }: Values) => ({ email: email.trim(), phone_no: phone_no.trim() || null });
const valuesOf = ({ email, phone_no }: Subscription): Values => ({ email, phone_no: phone_no ?? "" });
const resolver = contractResolver<Values>(contactInput, toBody);

export function ChangeContact({ subscription, onDone }: { subscription: Subscription; onDone: () => void }) {
  const { _id } = subscription;
  const opened = useRef(subscription);
  const t = useTranslations("subscriptions.changeContact");
  const change = useChangeSubscription(_id);
  const toasts = useToasts();
  const askDuplicate = useAskDuplicate("changeContact");
  const agreesToCharge = useAgreesToCharge();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: valuesOf(subscription),
    fields,
    readAgain: async () => {
      opened.current = await readSubscription(_id);
      return valuesOf(opened.current);
    },
    send: async (values) => {
      const wanted = toBody(values);
      const { email, phone_no, updated_at: readAt } = opened.current;
      const moves = wanted.email.toLowerCase() !== email.toLowerCase();
      if (moves && !(await agreesToCharge(_id, wanted.email))) return false;
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

/** A second try need not read the card again. In milliseconds. */
const staleTime = 60_000;

/** An unpaid period is charged at once if the new e-mail has a saved card. @returns a function that asks about that */
function useAgreesToCharge() {
  const t = useTranslations("subscriptions.changeContact.charge");
  const cardWords = useCardWords();
  const client = useQueryClient();
  const { confirm } = useDialogs();
  return async (id: string, email: string): Promise<boolean> => {
    const [{ open }, cards] = await Promise.all([
      client.fetchQuery({ ...subscriptionQueryOptions(id), staleTime }),
      client.fetchQuery({ ...savedCardsQueryOptions(email), staleTime }),
    ]);
    const card = chargedCard(cards);
    if (!open || !card) return true;
    const amount = formatMoney(open.amount_cents, open.currency);
    let agrees = false;
    await confirm({
      title: t("title", { amount }),
      body: <p className="wrap-anywhere">{t("text", { amount, card: cardWords(card), email })}</p>,
      action: t("action", { amount }),
      run: async () => {
        agrees = true;
      },
    });
    return agrees;
  };
}
