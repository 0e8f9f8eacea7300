import { useState } from "react";
import { useTimeZone } from "use-intl";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import { type FormValues, valuesOf } from "./form-values";
import { LinkCreated } from "./link-created";
import { PaymentLinkForm } from "./payment-link-form";

interface CreatePaymentLinkProps {
  /** The business's default currency unless given. */
  currency?: string;
  initial?: Partial<FormValues>;
  onDone: () => void;
}

export function CreatePaymentLink({ currency: chosen, initial, onDone }: CreatePaymentLinkProps) {
  const ownCurrency = useOwnCurrency();
  const zone = useTimeZone() ?? "UTC";
  const currency = chosen ?? ownCurrency;
  const [created, setCreated] = useState<{ link: PaymentLink; sent: boolean } | null>(null);
  const [like, setLike] = useState<PaymentLink | null>(null);
  if (!currency) return null;
  if (created)
    return (
      <LinkCreated
        {...created}
        onAnother={() => {
          setLike(created.link);
          setCreated(null);
        }}
        onDone={onDone}
      />
    );
  return (
    <PaymentLinkForm
      currency={currency}
      initial={like ? valuesOf(like, zone) : initial}
      autoFocus={like !== null}
      onSaved={(link, sent = false) => setCreated({ link, sent })}
    />
  );
}
