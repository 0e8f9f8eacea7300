"use client";

import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DetailHeading, Fact, linkClass } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { When } from "@/components/ui/when";
import { type Email, emailEndpoints } from "@/lib/resources/emails/contract";
import { emailQueryOptions, useResendEmail } from "@/lib/resources/emails/queries";
import { templates } from "@/lib/resources/emails/templates";
import { MailPreview } from "./mail-preview";
import { EmailBadge, subjectOf } from "./words";

export function EmailPage({ id }: { id: string }) {
  const email = useQuery(emailQueryOptions(id));
  return (
    <DetailFrame list="/emails" id={id} of="email" query={email} about={({ to }) => [to]}>
      {(data) => <Loaded email={data} />}
    </DetailFrame>
  );
}

function Loaded({ email }: { email: Email }) {
  const t = useTranslations("emails.detail");
  const types = useTranslations("emails.template");
  const reasons = useTranslations("emails.dropped");
  const may = useMay();
  const { next_attempt_at: nextTry, sent_at: sentAt } = email;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <DetailHeading>
            <bdi>{subjectOf(types, email)}</bdi>
          </DetailHeading>
          <EmailBadge status={email.status} />
        </div>
        {may(emailEndpoints.resend) && email.resend_to !== null && (
          <Resend key={email._id} id={email._id} to={email.resend_to} kept={!email.livemode} />
        )}
      </div>
      {email.drop_reason && <p className="text-base text-kumo-subtle">{reasons(email.drop_reason)}</p>}
      {email.last_error && !email.drop_reason && (
        <Alert>
          {email.last_error}
          {nextTry && <> {t.rich("nextTry", { when: () => <When at={nextTry} /> })}</>}
        </Alert>
      )}
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-xl bg-kumo-base px-4 py-4 ring ring-kumo-line sm:grid-cols-2 xl:grid-cols-4">
        <Fact term={t("to")}>{email.to}</Fact>
        <Fact term={t("what")}>{types(email.template)}</Fact>
        <Fact term={t("written")}>
          <Moment at={email.created_at} time />
          {sentAt && (
            <span className="block text-kumo-subtle">
              {t.rich("sent", { when: () => <Moment at={sentAt} time /> })}
            </span>
          )}
        </Fact>
        <Fact term={t("belongsTo")}>
          <BelongsTo email={email} />
        </Fact>
      </dl>
      {email.html && email.text ? (
        <MailPreview html={email.html} text={email.text} subject={subjectOf(types, email)} />
      ) : (
        email.status !== "dropped" && (
          <p role="status" className="text-base text-kumo-subtle">
            {t("beingWritten")}
          </p>
        )
      )}
    </div>
  );
}

function BelongsTo({ email: { subscription_id, payment_link_id, template } }: { email: Email }) {
  const t = useTranslations("emails.detail");
  if (!subscription_id && !payment_link_id) {
    const words = t(templates[template] === "staff" ? "nothingStaff" : "nothing");
    return <span className="text-kumo-subtle">{words}</span>;
  }
  return (
    <span className="grid justify-items-start gap-1">
      {subscription_id && (
        <Link href={`/subscriptions/${subscription_id}`} className={linkClass}>
          {t("subscription")}
        </Link>
      )}
      {payment_link_id && (
        <Link href={`/payment-links/${payment_link_id}`} className={linkClass}>
          {t("paymentLink")}
        </Link>
      )}
    </span>
  );
}

function Resend({ id, to, kept }: { id: string; to: string; kept: boolean }) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("emails.detail");
  const hint = useId();
  const resend = useResendEmail();
  const router = useRouter();
  const { confirm } = useDialogs();
  const [idempotencyKey, renewKey] = useIdempotencyKey();

  const ask = () =>
    confirm({
      title: t("sendAgainTitle"),
      body: (
        <p>
          {t.rich(kept ? "sendAgainKept" : "sendAgainSent", {
            to,
            name: (words) => <bdi className="font-medium wrap-anywhere text-kumo-default">{words}</bdi>,
          })}
        </p>
      ),
      action: t("sendAgain"),
      run: () => resend.mutateAsync({ id, idempotencyKey }).then(({ _id }) => router.push(`/emails/${_id}`), renewKey),
    });

  return (
    <div className="grid gap-2 sm:justify-items-end">
      <Button
        variant="secondary"
        icon={<PaperPlaneTiltIcon size={16} />}
        loading={resend.isPending}
        aria-describedby={hint}
        onClick={() => void ask()}
      >
        {t("sendAgain")}
      </Button>
      <p id={hint} className="text-sm text-kumo-subtle sm:text-right">
        {kept ? t("copyKept") : t("copySent", { to })}
      </p>
      {resend.error && <Alert>{explainFailure(resend.error)}</Alert>}
    </div>
  );
}
