import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import { LinkSimpleIcon } from "@phosphor-icons/react/dist/ssr/LinkSimple";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { ScalesIcon } from "@phosphor-icons/react/dist/ssr/Scales";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { usePathname, useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import type { RowAction } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { isOpenMismatch } from "@/lib/resources/payments/mismatch";
import { isOpen, usePaymentAction } from "@/lib/resources/payments/queries";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { useWithdraw } from "./withdraw";
import { isToBePaidAgain, refundable } from "./words";

const SettleForm = onDemand(() => import("./settle-form").then(({ SettleForm }) => SettleForm));
const ReverseForm = onDemand(() => import("./reverse-form").then(({ ReverseForm }) => ReverseForm));
const MismatchForm = onDemand(() => import("./mismatch-form").then(({ MismatchForm }) => MismatchForm));
const RefundForm = onDemand(() => import("./refund-form").then(({ RefundForm }) => RefundForm));
const PayAgain = onDemand(() => import("./pay-again").then(({ PayAgain }) => PayAgain));
const SendReceipt = onDemand(() => import("./send-receipt").then(({ SendReceipt }) => SendReceipt));

/**
 * The actions on a payment. An action is false if the payment's state or the user's role does not allow it. `checking` is true while
 * the gateway is asked.
 */
export function usePaymentActions(payment: PaymentOfLink) {
  const t = useTranslations("payments.actions");
  const words = useTranslations("payments.detail");
  const outcome = useTranslations("overview.problems.checked");
  const { openSheet } = useDialogs();
  const act = usePaymentAction();
  const toasts = useToasts();
  const withdraw = useWithdraw(payment._id);
  const may = useMay();
  const { manual, receipt_url, status } = payment;
  const open = isOpen(payment);
  const left = refundable(payment);

  async function checkStatus(): Promise<void> {
    try {
      const checked = await act.mutateAsync({ id: payment._id, action: "reconcile" });
      toasts.add({ title: outcome(checked.status) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("checkFailed"), error);
    }
  }
  const forms = {
    refund: (close: () => void) => <RefundForm payment={payment} onDone={close} />,
    reverse: (close: () => void) => <ReverseForm payment={payment} onDone={close} />,
    resolve: (close: () => void) => <MismatchForm payment={payment} onDone={close} />,
    settle: (close: () => void) => <SettleForm payment={payment} onDone={close} />,
  };
  const opens = (form: keyof typeof forms, title: string) => () => openSheet({ title, content: forms[form] });
  const refund = words(manual ? "recordRefund" : "refund");
  return {
    refund: may(refundEndpoints.create) &&
      left > 0 && { label: refund, icon: ArrowUUpLeftIcon, onClick: opens("refund", refund) },
    reverse: may(paymentEndpoints.reverse) &&
      manual !== null &&
      left === payment.amount_cents && {
        label: words("reverse"),
        icon: ProhibitIcon,
        onClick: opens("reverse", words("reverseTitle")),
      },
    resolve: may(paymentEndpoints.resolveMismatch) &&
      isOpenMismatch(payment) && {
        label: words("resolve"),
        icon: ScalesIcon,
        onClick: opens("resolve", words("resolve")),
      },
    check: may(paymentEndpoints.reconcile) &&
      open && { label: t("checkStatus"), icon: ArrowsClockwiseIcon, onClick: () => void checkStatus() },
    withdraw: may(paymentEndpoints.cancel) &&
      status === "requires_action" && { label: t("withdraw"), icon: XCircleIcon, onClick: withdraw },
    settle: may(paymentEndpoints.settle) &&
      open && { label: t("settle"), icon: PencilSimpleIcon, onClick: opens("settle", t("settleTitle")) },
    receipt: receipt_url !== null && {
      label: t("openReceipt"),
      icon: ArrowSquareOutIcon,
      onClick: () => void window.open(receipt_url, "_blank", "noopener"),
    },
    checking: act.isPending,
  };
}

/** All actions in one menu, for a row of a list. */
export function PaymentMenu({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments.actions");
  const router = useRouter();
  const { checking, ...actions } = usePaymentActions(payment);
  const { payment_link_id: linkId } = payment;
  const linkPath = `/payment-links/${linkId}`;
  const openLink = usePathname() !== linkPath && {
    label: t("openLink"),
    icon: LinkSimpleIcon,
    onClick: () => router.push(linkPath),
  };
  const possible = [...Object.values(actions), openLink].filter((action) => action !== false);
  if (possible.length === 0) return null;
  const amount = formatMoney(payment.amount_cents, payment.currency);
  function late(menu: (more: RowAction[]) => ReactNode): ReactNode {
    if (payment.status === "succeeded") return <SendReceipt payment={payment}>{menu}</SendReceipt>;
    // The link's own page has these actions already.
    if (openLink && isToBePaidAgain(payment)) return <PayAgain linkId={linkId}>{menu}</PayAgain>;
    return menu([]);
  }
  return <RowMenu label={t("moreOf", { title: payment.title, amount })} actions={possible} late={late} />;
}
