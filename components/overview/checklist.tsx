"use client";

import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import Link from "next/link";
import type { ReactNode } from "react";
import { linkLook, Panel } from "@/components/shell/detail";
import { CopyButton } from "@/components/ui/copy-button";
import { usePaymentLinks } from "@/lib/payment-links/queries";
import type { Overview } from "@/lib/reports/contract";

/** From a new business to its first paid link; gone once that is paid. */
export function Checklist({ first, canWrite }: { first: Overview["first"]; canWrite: boolean }) {
  const links = usePaymentLinks({ status: "Active" });
  const link = links.data?.rows[0];
  const where = canWrite ? (
    <Link href="/payment-links" className={linkLook}>
      Create one
    </Link>
  ) : (
    "Somebody who may write creates it"
  );
  return (
    <Panel title="Your first payment">
      <ol>
        <Step done title="You have a business">
          Everything here is in test mode: only test cards work, and no money moves.
        </Step>
        <Step done={first.payment_link} title="Create a payment link">
          A page where one payer pays one amount. {!first.payment_link && where}
        </Step>
        <Step done={false} title="Open it as your payer would">
          {link ? (
            <span className="mt-1.5 flex flex-wrap items-center gap-2">
              <a href={link.payment_url} target="_blank" rel="noreferrer" className={linkLook}>
                Open “{link.title}”<span className="sr-only"> in a new tab</span>
              </a>
              <CopyButton text={link.payment_url} what={`link of ${link.title}`} />
            </span>
          ) : (
            "On a phone, for example: its QR code stands on the link’s page."
          )}
        </Step>
        <Step done={false} title="Pay it">
          With the test card 4242 4242 4242 4242, any date to come and any security code. It then stands here as paid.
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  const Icon = done ? CheckCircleIcon : CircleIcon;
  return (
    <li className="flex gap-3 border-b border-kumo-hairline px-4 py-3.5 last:border-0">
      <Icon
        size={20}
        weight={done ? "fill" : "regular"}
        className={`mt-px shrink-0 ${done ? "text-kumo-success" : "text-kumo-subtle"}`}
        aria-hidden
      />
      <div className="min-w-0">
        <p className="text-base font-medium text-kumo-strong">
          {title}
          {done && <span className="sr-only">: done</span>}
        </p>
        <div className="text-base text-kumo-subtle">{children}</div>
      </div>
    </li>
  );
}
