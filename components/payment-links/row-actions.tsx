import { useTranslations } from "use-intl";
import { CopyButton } from "@/components/ui/copy-button";
import { NewTabIcon } from "@/components/ui/new-tab-link";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { LinkMenu } from "./link-menu";

export function RowActions({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.actions");
  return (
    <div className="flex items-center justify-end">
      <CopyButton text={link.payment_url} label={t("copy", { title: link.title })} />
      <NewTabIcon href={link.payment_url} label={t("open", { title: link.title })} />
      <LinkMenu link={link} />
    </div>
  );
}
