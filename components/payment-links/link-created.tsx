import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Created } from "@/components/ui/created";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { useToasts } from "@/components/ui/toasts";
import { doubleClickMs } from "@/lib/client/use-mutation";
import { formatMoney } from "@/lib/core/money";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { linkMailQueryOptions } from "@/lib/resources/emails/queries";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { usePaymentLinkAction } from "@/lib/resources/payment-links/queries";
import { LinkMail } from "./link-mail";
import { QrCode } from "./qr-code";

interface LinkCreatedProps {
  link: PaymentLink;
  /** Whether its mail was requested. */
  sent: boolean;
  onAnother: () => void;
  onDone: () => void;
}

/** What to do with a new link. Says whether its mail was sent. */
export function LinkCreated({ link, sent, onAnother, onDone }: LinkCreatedProps) {
  const t = useTranslations("paymentLinks.created");
  const may = useMay();
  const toasts = useToasts();
  const maySee = may(emailEndpoints.list);
  const { data } = useQuery({ ...linkMailQueryOptions(link._id), enabled: maySee });
  const act = usePaymentLinkAction();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  const newest = data?.rows[0];
  const mail = newest ?? (data === undefined && sent ? undefined : null);

  async function send(): Promise<void> {
    if (performance.now() - sentAt.current < doubleClickMs) return;
    sentAt.current = performance.now();
    try {
      await act.mutateAsync({ id: link._id, action: "send", idempotencyKey });
      renewKey();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      renewKey(error);
      toasts.failed(t("sendFailed"), error);
    }
  }

  return (
    <Created
      title={t("heading")}
      text={t.rich("link", {
        title: link.title,
        amount: formatMoney(link.amount_cents, link.currency),
        email: link.email,
        name: (words) => <bdi>{words}</bdi>,
      })}
      value={link.payment_url}
      state={maySee && <LinkMail mail={mail} email={link.email} />}
      more={
        <div className="-mx-4">
          <QrCode link={link} />
        </div>
      }
    >
      <CopyButton text={link.payment_url} label={t("copyLabel")} variant="primary">
        {t("copy")}
      </CopyButton>
      <NewTabLink href={link.payment_url}>{t.rich("open", { newTab })}</NewTabLink>
      {may(paymentLinkEndpoints.send) && (
        <Button
          variant="secondary"
          icon={<PaperPlaneTiltIcon size={16} />}
          loading={act.isPending || newest?.status === "queued"}
          onClick={() => void send()}
        >
          {t(newest?.status === "sent" ? "sendAgain" : "send")}
        </Button>
      )}
      <Button variant="secondary" onClick={onAnother}>
        {t("another")}
      </Button>
      <Button variant="ghost" onClick={onDone}>
        {t("done")}
      </Button>
    </Created>
  );
}
