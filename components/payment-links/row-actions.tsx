"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { CopyButton } from "@/components/ui/copy-button";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { LinkMenu } from "./link-menu";

/** Copy and open, always; the rest for those who may. */
export function RowActions({ link, canWrite }: { link: PaymentLink; canWrite: boolean }) {
  return (
    <div className="flex items-center justify-end">
      <CopyButton text={link.payment_url} what={`link of ${link.title}`} />
      <a
        href={link.payment_url}
        target="_blank"
        rel="noreferrer"
        className={buttonVariants({ variant: "ghost", shape: "square" })}
        aria-label={`Open the link of ${link.title} in a new tab`}
      >
        <ArrowSquareOutIcon size={16} aria-hidden />
      </a>
      {canWrite && <LinkMenu link={link} />}
    </div>
  );
}
