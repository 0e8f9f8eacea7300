import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { refundWords } from "@/components/payments/words";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { linkClass } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { failureWords, useFollowRedelivery } from "@/components/webhook-endpoints/use-follow-redelivery";
import { formatMoney } from "@/lib/core/money";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { isOpen, paymentQueryOptions, usePaymentAction } from "@/lib/resources/payments/queries";
import { type Refund, refundEndpoints } from "@/lib/resources/refunds/contract";
import type { ProblemKind, Problems } from "@/lib/resources/reports/problems-contract";
import { type WebhookEndpoint, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { deliveryQueryOptions, useEndpointAction, useRedeliverFailed } from "@/lib/resources/webhook-endpoints/queries";
import { DebtLine } from "./debt-line";
import { ProblemLine } from "./problem-line";
import { UntoldPriceLine } from "./untold-price-line";

const RefundForm = onDemand(() => import("@/components/payments/refund-form").then((part) => part.RefundForm));
const MismatchForm = onDemand(() => import("@/components/payments/mismatch-form").then((part) => part.MismatchForm));

/** The newest problems of a kind, each with its action. */
export function ProblemLines({ kind, data }: { kind: ProblemKind; data: Problems }) {
  switch (kind) {
    case "unknown_payments":
      return data[kind].map((payment) => <UnknownPayment key={payment._id} payment={payment} />);
    case "mismatched_payments":
      return data[kind].map((payment) => <Mismatch key={payment._id} payment={payment} />);
    case "untold_prices":
      return data[kind].map((price) => <UntoldPriceLine key={price.subscription_id} price={price} />);
    case "failed_refunds":
      return data[kind].map((refund) => <RefundLine key={refund._id} refund={refund} />);
    case "failing_webhooks":
      return data[kind].map((endpoint) => <EndpointLine key={endpoint._id} endpoint={endpoint} />);
    default:
      return data[kind].map((debt) => <DebtLine key={debt.payment_link_id} debt={debt} />);
  }
}

const money = ({ amount_cents, currency }: { amount_cents: number; currency: string }) =>
  formatMoney(amount_cents, currency);

function PaymentWords({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("overview.problems");
  return t.rich("paymentOf", {
    amount: money(payment),
    email: payment.email,
    link: (words) => (
      <Link href={`/payments/${payment._id}`} className={`text-kumo-strong ${linkClass}`}>
        {words}
      </Link>
    ),
    when: () => <When at={payment.created_at} />,
  });
}

function UnknownPayment({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("overview.problems");
  const may = useMay();
  const act = usePaymentAction();
  const label = t("check");
  const action = {
    label,
    about: t("actionAbout", { action: label, email: payment.email }),
    failed: t("checkFailed"),
    run: async () => {
      const checked = await act.mutateAsync({ id: payment._id, action: "reconcile" });
      return { words: t(`checked.${checked.status}`), repeatable: isOpen(checked) };
    },
  };
  return (
    <ProblemLine actions={may(paymentEndpoints.reconcile) ? [action] : []}>
      <PaymentWords payment={payment} />
    </ProblemLine>
  );
}

function Mismatch({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("overview.problems");
  const title = t("resolve");
  const { openSheet } = useDialogs();
  const open = () => openSheet({ title, content: (close) => <MismatchForm payment={payment} onDone={close} /> });
  const button = (
    <Button
      variant="secondary"
      className="ignores-double-click max-sm:h-11"
      aria-label={t("actionAbout", { action: title, email: payment.email })}
      onClick={open}
    >
      {title}
    </Button>
  );
  return (
    <ProblemLine control={useMay()(paymentEndpoints.resolveMismatch) && button}>
      <PaymentWords payment={payment} />
    </ProblemLine>
  );
}

function RefundLine({ refund }: { refund: Refund }) {
  const t = useTranslations("overview.problems");
  const payments = useTranslations("payments");
  const may = useMay();
  const client = useQueryClient();
  const toasts = useToasts();
  const { openSheet } = useDialogs();
  const { payment_id, created_at } = refund;
  const title = t("refundAgain");
  const open = async () => {
    try {
      const payment = await client.fetchQuery(paymentQueryOptions(payment_id));
      openSheet({ title, content: (close) => <RefundForm payment={payment} onDone={close} /> });
    } catch (error) {
      toasts.failed(t("refundFailed"), error as Error);
    }
  };
  const button = (
    <Button
      variant="secondary"
      className="ignores-double-click max-sm:h-11"
      aria-label={t("actionAbout", { action: title, email: money(refund) })}
      onClick={() => void open()}
    >
      {title}
    </Button>
  );
  return (
    <ProblemLine control={may(refundEndpoints.create) && button}>
      {t.rich("refundOf", {
        amount: money(refund),
        link: (words) => (
          <Link href={`/payments/${payment_id}`} className={`text-kumo-strong ${linkClass}`}>
            {words}
          </Link>
        ),
        when: () => <When at={created_at} />,
      })}
      <span className="block text-sm text-kumo-subtle">{refundWords(payments, refund)}</span>
    </ProblemLine>
  );
}

function EndpointLine({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("overview.problems");
  const words = useTranslations("webhooks.words");
  const may = useMay();
  const { _id: id, url, status, disabled_reason, failing_since } = endpoint;
  const act = useEndpointAction(id);
  const redeliver = useRedeliverFailed(id);
  const follow = useFollowRedelivery();
  /** Aborts following the last redelivery: a later one takes its place. */
  const following = useRef<AbortController>(null);
  /** How many events are being redelivered, or the delivery that failed again. In place of since when the endpoint fails. */
  const [state, setState] = useState<{ count: number } | { failedId: string } | null>(null);
  const enable = async () => {
    await act.mutateAsync("enable");
    return { words: t("enabled") };
  };
  const sayOutcome = async (ids: string[], count: number) => {
    following.current?.abort();
    const latest = new AbortController();
    following.current = latest;
    setState({ count });
    const failedId = await follow(ids, { count, signal: latest.signal });
    if (!latest.signal.aborted) setState(failedId === null ? null : { failedId });
  };
  const redeliverAll = async () => {
    const { redelivered: count, delivery_ids, has_more } = await redeliver.mutateAsync(undefined);
    if (count > 0) void sayOutcome(delivery_ids, count);
    return { words: t(has_more ? "redeliveredInPart" : "redelivered", { count }), repeatable: true };
  };
  const [label, run] = status === "disabled" ? [t("enable"), enable] : [t("redeliver"), redeliverAll];
  const action = {
    ...{ label, run, failed: t("endpointFailed") },
    about: t("actionAbout", { action: label, email: url }),
  };
  const since = t.rich("failingSince", { when: () => failing_since && <When at={failing_since} /> });
  const reason =
    state === null ? (
      since
    ) : "count" in state ? (
      t("redelivering", state)
    ) : (
      <FailedAgain id={state.failedId}>{since}</FailedAgain>
    );
  return (
    <ProblemLine actions={may(webhookEndpointEndpoints.update) ? [action] : []}>
      <Link href={`/developers/webhooks/${id}`} className={`text-kumo-strong ${linkClass}`}>
        {url}
      </Link>
      <span className="block text-sm text-kumo-subtle">
        {disabled_reason ? words(`disabled.${disabled_reason}`) : reason}
      </span>
    </ProblemLine>
  );
}

/** When and why a delivery last failed, also in later attempts. Once it was delivered, `children`. */
function FailedAgain({ id, children }: { id: string; children: ReactNode }) {
  const texts = useTranslations();
  const format = useFormatter();
  const { data: delivery } = useQuery(deliveryQueryOptions(id));
  const attempt = delivery?.last_attempt;
  if (!attempt || delivery.status === "succeeded") return children;
  const time = format.dateTime(new Date(attempt.created_at), { hour: "2-digit", minute: "2-digit" });
  return texts("overview.problems.failedAgain", { time, reason: failureWords(texts, attempt) });
}
