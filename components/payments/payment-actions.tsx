import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { RowMenu } from "@/components/ui/row-menu";
import { payableLinkQueryOptions } from "@/lib/resources/payment-links/queries";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { usePayAgain } from "./pay-again";
import { usePaymentActions } from "./payment-menu";
import { useSendReceipt } from "./send-receipt";
import { heldBy, isToBePaidAgain } from "./words";

/** The actions for the payment's page and for the side peek: the main ones are buttons. */
export function PaymentActions({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments.actions");
  const words = useTranslations("payments.detail");
  const may = useMay();
  const { refund, reverse, check, withdraw, settle, checking } = usePaymentActions(payment);
  const sendReceipt = useSendReceipt(payment);
  const held = heldBy(payment);
  const failed = isToBePaidAgain(payment);
  const link = useQuery({ ...payableLinkQueryOptions(payment.payment_link_id), enabled: failed });
  const payAgain = usePayAgain()(failed ? link.data : null);
  /** A button while the outcome is unknown, else a menu item. */
  const shown = payment.status === "unknown" && check;
  const others = [!shown && check, withdraw, settle].filter((action) => action !== false);
  return (
    <>
      {may(refundEndpoints.create) && (refund || held) && (
        <Button
          variant="secondary"
          disabled={!refund}
          aria-describedby={held ? "no-refund" : undefined}
          icon={<ArrowUUpLeftIcon size={16} />}
          onClick={refund ? refund.onClick : undefined}
        >
          {refund ? refund.label : words("refund")}
        </Button>
      )}
      {reverse && (
        <Button variant="secondary" icon={<ProhibitIcon size={16} />} onClick={reverse.onClick}>
          {reverse.label}
        </Button>
      )}
      {[...payAgain, ...sendReceipt].map((action) => (
        <Button
          key={action.label}
          variant="secondary"
          icon={action.icon && <action.icon size={16} />}
          onClick={action.onClick}
        >
          {action.label}
        </Button>
      ))}
      {shown && (
        <Button
          variant="secondary"
          className="ignores-double-click"
          icon={<ArrowsClockwiseIcon size={16} />}
          loading={checking}
          onClick={shown.onClick}
        >
          {shown.label}
        </Button>
      )}
      {others.length > 0 && <RowMenu label={t("more")} variant="secondary" actions={others} />}
    </>
  );
}
