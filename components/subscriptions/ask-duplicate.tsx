import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { useToasts } from "@/components/ui/toasts";
import { ApiFailure } from "@/lib/client/api-failure";
import type { Subscription } from "@/lib/resources/subscriptions/contract";

interface Sending {
  email: string;
  send: (over: { allow_duplicate?: true }) => Promise<Subscription>;
  onDone: (subscription: Subscription) => void;
}

/**
 * Sends a form that gives an e-mail a subscription. If the e-mail already has one to the package, asks whether it may have two, and sends
 * it again.
 * @returns a function that resolves with false if it had to ask
 */
export function useAskDuplicate(form: "form" | "changeContact") {
  const t = useTranslations("subscriptions");
  const { confirm } = useDialogs();
  const toasts = useToasts();
  return async ({ email, send, onDone }: Sending): Promise<boolean> => {
    try {
      onDone(await send({}));
      return true;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== "already_subscribed") throw error;
      await confirm({
        title: t(`${form}.duplicate.title`),
        body: <p>{t(`${form}.duplicate.text`, { email })}</p>,
        action: t(`${form}.duplicate.action`),
        run: () =>
          send({ allow_duplicate: true }).then(onDone, (refused) => toasts.failed(t("actions.failed"), refused)),
      });
      return false;
    }
  };
}
