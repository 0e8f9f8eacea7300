import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CopySimpleIcon } from "@phosphor-icons/react/dist/ssr/CopySimple";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import {
  paymentLinkEndpoints as endpoints,
  type PaymentLink,
  periodScope,
} from "@/lib/resources/payment-links/contract";
import { useAwaitTransfer } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { isFixed, useLinkQuestion } from "./link-questions";

const DuplicatePaymentLink = onDemand(() =>
  import("./duplicate-payment-link").then(({ DuplicatePaymentLink }) => DuplicatePaymentLink),
);
const MarkPaidForm = onDemand(() => import("./mark-paid-form").then(({ MarkPaidForm }) => MarkPaidForm));
const EditPaymentLink = onDemand(() => import("./edit-payment-link").then(({ EditPaymentLink }) => EditPaymentLink));

interface LinkMenuProps {
  link: PaymentLink;
  variant?: "ghost" | "secondary";
  onRemoved?: () => void;
}

export function LinkMenu({ link, variant, onRemoved }: LinkMenuProps) {
  const t = useTranslations("paymentLinks.actions");
  const { openSheet } = useDialogs();
  const ask = useLinkQuestion(onRemoved);
  const awaitTransfer = useAwaitTransfer(link._id);
  const toasts = useToasts();
  const may = useMay();
  const mayDecide = (endpoint: Parameters<typeof may>[0]): boolean =>
    may(endpoint) && (link.subscription_id === null || may({ scope: periodScope }));
  const fixed = isFixed(link);
  const active = link.status === "Active";
  const edit = () =>
    openSheet({
      title: t("editTitle"),
      wide: true,
      content: (close) => <EditPaymentLink link={link} onDone={close} />,
    });
  const duplicate = () =>
    openSheet({
      title: t("duplicateTitle"),
      wide: true,
      content: (close) => <DuplicatePaymentLink link={link} onDone={close} />,
    });
  const markPaid = () =>
    openSheet({ title: t("markPaidTitle"), content: (close) => <MarkPaidForm link={link} onDone={close} /> });
  const awaiting = link.awaiting_transfer_since !== null;
  const setAwaiting = (to: boolean) =>
    toasts.report(awaitTransfer.mutateAsync(to), {
      done: t(to ? "awaiting" : "notAwaiting", { title: link.title }),
      failed: t("awaitFailed"),
    });
  const actions = [
    !fixed && mayDecide(endpoints.update) && { label: t("edit"), icon: PencilSimpleIcon, edits: true, onClick: edit },
    may(endpoints.create) && { label: t("duplicate"), icon: CopySimpleIcon, onClick: duplicate },
    active && may(endpoints.send) && { label: t("send"), icon: PaperPlaneTiltIcon, onClick: () => ask(link, "send") },
    !fixed && may(paymentEndpoints.markPaid) && { label: t("markPaid"), icon: CheckCircleIcon, onClick: markPaid },
    active &&
      mayDecide(endpoints.awaitTransfer) && {
        label: t(awaiting ? "stopAwaitingTransfer" : "awaitTransfer"),
        icon: BankIcon,
        onClick: () => void setAwaiting(!awaiting),
      },
    active &&
      mayDecide(endpoints.deactivate) && {
        label: t("deactivate"),
        icon: PauseIcon,
        onClick: () => ask(link, "deactivate"),
      },
    link.status === "Inactive" &&
      mayDecide(endpoints.activate) && { label: t("activate"), icon: PlayIcon, onClick: () => ask(link, "activate") },
    !fixed &&
      mayDecide(endpoints.remove) && {
        label: t("remove"),
        icon: TrashIcon,
        destructive: true,
        onClick: () => ask(link, "remove"),
      },
  ].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return <RowMenu label={t("more", { title: link.title })} variant={variant} actions={actions} />;
}
