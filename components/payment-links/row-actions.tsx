"use client";

import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { LinkMenu } from "./link-menu";

/** Copy and open, always; the rest for those who may. */
export function RowActions({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.actions");
  return (
    <div className="flex items-center justify-end">
      <CopyButton text={link.payment_url} label={t("copy", { title: link.title })} />
      <a
        href={link.payment_url}
        target="_blank"
        rel="noreferrer"
        className={buttonVariants({ variant: "ghost", shape: "square" })}
        aria-label={t("open", { title: link.title })}
      >
        <ArrowSquareOutIcon size={16} aria-hidden />
      </a>
      <LinkMenu link={link} />
    </div>
  );
}
