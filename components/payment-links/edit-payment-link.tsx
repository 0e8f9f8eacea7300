import { useTranslations } from "use-intl";
import { useToasts } from "@/components/ui/toasts";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { PaymentLinkForm } from "./payment-link-form";

export function EditPaymentLink({ link, onDone }: { link: PaymentLink; onDone: () => void }) {
  const t = useTranslations("paymentLinks.actions");
  const toasts = useToasts();
  return (
    <PaymentLinkForm
      link={link}
      currency={link.currency}
      onSaved={({ title }) => {
        toasts.add({ title: t("saved", { title }) });
        onDone();
      }}
    />
  );
}
