"use client";

import { useState } from "react";
import { useTranslations } from "use-intl";
import { useToasts } from "@/components/ui/toasts";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { PaymentLinkForm } from "./payment-link-form";

/** The form of a link as it was when it was opened: the link may move on behind it, and then the change is refused. */
export function EditPaymentLink({ link, onDone }: { link: PaymentLink; onDone: () => void }) {
  const t = useTranslations("paymentLinks.actions");
  const [opened] = useState(link);
  const toasts = useToasts();
  return (
    <PaymentLinkForm
      link={opened}
      currency={opened.currency}
      onSaved={({ title }) => {
        toasts.add({ title: t("saved", { title }) });
        onDone();
      }}
    />
  );
}
