import { CopyIcon } from "@phosphor-icons/react/dist/ssr/Copy";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useLinkQuestion } from "@/components/payment-links/link-questions";
import { useMay } from "@/components/shell/may";
import { toClipboard } from "@/components/ui/copy-button";
import type { RowAction } from "@/components/ui/menu-popup";
import { useToasts } from "@/components/ui/toasts";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { payableLinkQueryOptions } from "@/lib/resources/payment-links/queries";

/** Actions that copy or send the link again after a failed attempt. None if the link can't be paid. */
export function usePayAgain(): (link: PaymentLink | null | undefined) => RowAction[] {
  const t = useTranslations("payments.actions");
  const may = useMay();
  const toasts = useToasts();
  const ask = useLinkQuestion();

  async function copy({ payment_url }: PaymentLink): Promise<void> {
    if (await toClipboard(payment_url)) toasts.add({ title: t("linkCopied") });
    else toasts.add({ title: t("linkNotCopied"), variant: "error" });
  }
  return (link) => {
    if (!link) return [];
    const actions = [
      { label: t("copyLink"), icon: CopyIcon, onClick: () => void copy(link) },
      may(paymentLinkEndpoints.send) && {
        label: t("sendLink"),
        icon: PaperPlaneTiltIcon,
        onClick: () => ask(link, "send", t("sendLinkTitle")),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

interface PayAgainProps {
  linkId: string;
  children: (actions: RowAction[]) => ReactNode;
}

/** Suspends until it is known whether the link can be paid. */
export function PayAgain({ linkId, children }: PayAgainProps) {
  return children(usePayAgain()(useSuspenseQuery(payableLinkQueryOptions(linkId)).data));
}
