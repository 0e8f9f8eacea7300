"use client";

import { Button, buttonVariants } from "@cloudflare/kumo/components/button";
import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { Alert } from "@/components/ui/alert";
import { explainFailure } from "@/components/ui/explain-failure";
import { Notice } from "@/components/ui/notice";
import { When } from "@/components/ui/when";
import { ApiFailure } from "@/lib/api/client";
import type { Email } from "@/lib/emails/contract";
import { useEmail, useResendEmail } from "@/lib/emails/queries";
import { templates } from "@/lib/mail/mails";
import { MailPreview } from "./mail-preview";
import { EmailBadge, subjectOf, templateLabels } from "./words";

/** One mail: how it went, what it belongs to, and what its recipient sees. */
export function EmailPage({ id, canWrite }: { id: string; canWrite: boolean }) {
  const email = useEmail(id);
  const gone = email.error instanceof ApiFailure && email.error.status === 404;
  return (
    <>
      <Link
        href="/outbox"
        className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
      >
        <CaretLeftIcon size={14} aria-hidden />
        Outbox
      </Link>
      {email.isPending ? (
        <Skeleton what="the e-mail" />
      ) : gone ? (
        <Notice
          title="This e-mail does not exist"
          action={
            <Link href="/outbox" className={buttonVariants({ variant: "secondary" })}>
              Go to the outbox
            </Link>
          }
        >
          The address is not complete.
        </Notice>
      ) : email.data ? (
        <Loaded email={email.data} canWrite={canWrite} />
      ) : (
        <LoadFailure what="e-mail" query={email} />
      )}
    </>
  );
}

const link = "underline decoration-kumo-line underline-offset-4 hover:decoration-current";

function Loaded({ email, canWrite }: { email: Email; canWrite: boolean }) {
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere text-kumo-strong">
            <bdi>{subjectOf(email)}</bdi>
          </h1>
          <EmailBadge status={email.status} />
        </div>
        {canWrite && email.resendable && <Resend key={email._id} id={email._id} to={email.to} kept={!email.livemode} />}
      </div>
      {email.last_error && (
        <Alert>
          {email.last_error}
          {email.next_attempt_at && (
            <>
              {" "}
              The next try is due <When at={email.next_attempt_at} />.
            </>
          )}
        </Alert>
      )}
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-xl bg-kumo-base px-4 py-4 ring ring-kumo-line sm:grid-cols-2 xl:grid-cols-4">
        <Fact term="To">{email.to}</Fact>
        <Fact term="What it is">{templateLabels[email.template]}</Fact>
        <Fact term="Written">
          <When at={email.created_at} />
          {email.sent_at && (
            <span className="block text-kumo-subtle">
              Sent <When at={email.sent_at} />
            </span>
          )}
        </Fact>
        <Fact term="Belongs to">
          <BelongsTo email={email} />
        </Fact>
      </dl>
      {email.html && email.text ? (
        <MailPreview html={email.html} text={email.text} subject={subjectOf(email)} />
      ) : (
        <p role="status" className="text-base text-kumo-subtle">
          It is being written …
        </p>
      )}
    </div>
  );
}

function BelongsTo({ email: { subscription_id, payment_link_id, template, to } }: { email: Email }) {
  if (subscription_id)
    return (
      <Link href={`/subscriptions/${subscription_id}`} className={link}>
        The subscription
      </Link>
    );
  if (payment_link_id)
    return (
      <>
        <Link href={`/payment-links?q=${encodeURIComponent(to)}`} className={link}>
          The payment links of {to}
        </Link>
        <code className="mt-1 block text-xs wrap-anywhere text-kumo-subtle">{payment_link_id}</code>
      </>
    );
  const words = templates[template] === "staff" ? "Nothing: it is to your staff" : "Nothing";
  return <span className="text-kumo-subtle">{words}</span>;
}

function Resend({ id, to, kept }: { id: string; to: string; kept: boolean }) {
  const resend = useResendEmail();
  const router = useRouter();
  // One for each visit, so that a second click repeats the first one's answer.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        variant="secondary"
        icon={<PaperPlaneTiltIcon size={16} />}
        loading={resend.isPending}
        title={kept ? "A copy is kept here: in test mode nothing is sent" : `A copy is sent to ${to}`}
        onClick={() => resend.mutate({ id, idempotencyKey }, { onSuccess: ({ _id }) => router.push(`/outbox/${_id}`) })}
      >
        Send again
      </Button>
      {resend.error && <Alert>{explainFailure(resend.error)}</Alert>}
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 min-w-0 text-base wrap-anywhere text-kumo-default">{children}</dd>
    </div>
  );
}
