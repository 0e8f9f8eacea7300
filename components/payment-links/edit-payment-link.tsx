"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useState } from "react";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { PaymentLinkForm } from "./payment-link-form";

/** The form of a link as it was when it was opened: the link may move on behind it, and then the change is refused. */
export function EditPaymentLink({ link, onDone }: { link: PaymentLink; onDone: () => void }) {
  const [opened] = useState(link);
  const toasts = useKumoToastManager();
  return (
    <PaymentLinkForm
      link={opened}
      currency={opened.currency}
      onSaved={({ title }) => {
        toasts.add({ title: `Saved: ${title}` });
        onDone();
      }}
    />
  );
}
