"use client";

import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import type { FormValues } from "./form-values";
import { PaymentLinkForm } from "./payment-link-form";

interface CreatePaymentLinkProps {
  /** The business's own currency unless given. */
  currency?: string;
  /** Values that the form is filled with. */
  initial?: Partial<FormValues>;
  onDone: () => void;
}

/** The form, and after it the link to send. */
export function CreatePaymentLink({ currency: chosen, initial, onDone }: CreatePaymentLinkProps) {
  const t = useTranslations("paymentLinks.created");
  const ownCurrency = useOwnCurrency();
  const currency = chosen ?? ownCurrency;
  const [created, setCreated] = useState<PaymentLink | null>(null);
  const [again, setAgain] = useState(false);
  if (!currency) return null;
  if (!created) return <PaymentLinkForm currency={currency} initial={initial} autoFocus={again} onSaved={setCreated} />;
  return (
    <div className="grid content-start gap-5 overflow-y-auto p-5">
      <div className="flex items-start gap-3">
        <CheckCircleIcon size={24} weight="fill" className="mt-0.5 shrink-0 text-kumo-success" aria-hidden />
        <div>
          {/* The form is gone, and with it the focus: it comes here, so that a screen reader says how it went. */}
          <h3
            ref={(heading) => heading?.focus()}
            tabIndex={-1}
            className="text-[15px] font-semibold text-kumo-strong outline-none"
          >
            {t("heading")}
          </h3>
          <p className="text-base text-kumo-subtle">
            {t.rich("link", {
              title: created.title,
              amount: formatMoney(created.amount_cents, created.currency),
              email: created.email,
              name: (words) => <bdi>{words}</bdi>,
            })}
          </p>
        </div>
      </div>
      <p className="rounded-lg bg-kumo-recessed px-3 py-2.5 font-mono text-sm break-all text-kumo-default select-all">
        {created.payment_url}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={created.payment_url} label={t("copyLabel")} variant="primary">
          {t("copy")}
        </CopyButton>
        <Button
          variant="secondary"
          onClick={() => {
            setAgain(true);
            setCreated(null);
          }}
        >
          {t("another")}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
