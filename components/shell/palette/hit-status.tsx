import { useTranslations } from "use-intl";
import { packageLooks } from "@/components/packages/words";
import { paymentLinkLooks } from "@/components/payment-links/status-badge";
import { paymentLooks } from "@/components/payments/words";
import { subscriptionLooks } from "@/components/subscriptions/words";
import { tokenizationLooks } from "@/components/tokenizations/words";
import { Pill } from "@/components/ui/pill";
import type { SearchHit } from "@/lib/resources/search/contract";

const isIn = <Looks extends object>(looks: Looks, status: string): status is Extract<keyof Looks, string> =>
  Object.hasOwn(looks, status);

/** The status of a search result, without its refunds and disputes; nothing for a customer. */
export function HitStatus({ hit: { type, status } }: { hit: SearchHit }) {
  const t = useTranslations();
  if (status === null) return null;
  if (type === "payment" && isIn(paymentLooks, status))
    return <Pill {...paymentLooks[status]} label={t(`payments.status.${status}`)} />;
  if (type === "payment_link" && isIn(paymentLinkLooks, status))
    return <Pill {...paymentLinkLooks[status]} label={t(`paymentLinks.status.${status}`)} />;
  if (type === "subscription" && isIn(subscriptionLooks, status))
    return <Pill {...subscriptionLooks[status]} label={t(`subscriptions.status.${status}`)} />;
  if (type === "package" && isIn(packageLooks, status))
    return <Pill {...packageLooks[status]} label={t(`packages.status.${status}`)} />;
  if (type === "tokenization" && isIn(tokenizationLooks, status))
    return <Pill {...tokenizationLooks[status]} label={t(`tokenizations.status.${status}`)} />;
  return null;
}
