import { useTranslations } from "use-intl";
import { packageLooks } from "@/components/packages/words";
import { paymentLinkLooks } from "@/components/payment-links/status-badge";
import { PaymentBadge, paymentLooks } from "@/components/payments/words";
import { subscriptionLooks } from "@/components/subscriptions/words";
import { tokenizationLooks } from "@/components/tokenizations/words";
import { Pill } from "@/components/ui/pill";
import type { SearchHit } from "@/lib/resources/search/contract";

const isIn = <Looks extends object>(looks: Looks, status: string): status is Extract<keyof Looks, string> =>
  Object.hasOwn(looks, status);

/** A payment has all three. */
const amountsOf = ({ amount_cents, refunded_amount, disputed_amount }: SearchHit) => ({
  amount_cents: amount_cents ?? 0,
  refunded_amount: refunded_amount ?? 0,
  disputed_amount: disputed_amount ?? 0,
});

/** The status of a search result; nothing for a customer. */
export function HitStatus({ hit }: { hit: SearchHit }) {
  const t = useTranslations();
  const { type, status } = hit;
  if (status === null) return null;
  if (type === "payment" && isIn(paymentLooks, status))
    return <PaymentBadge payment={{ ...hit, ...amountsOf(hit), status }} />;
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
