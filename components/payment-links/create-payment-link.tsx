import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Created } from "@/components/ui/created";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import type { FormValues } from "./form-values";
import { PaymentLinkForm } from "./payment-link-form";

interface CreatePaymentLinkProps {
  /** The business's default currency unless given. */
  currency?: string;
  initial?: Partial<FormValues>;
  onDone: () => void;
}

export function CreatePaymentLink({ currency: chosen, initial, onDone }: CreatePaymentLinkProps) {
  const t = useTranslations("paymentLinks.created");
  const ownCurrency = useOwnCurrency();
  const currency = chosen ?? ownCurrency;
  const [created, setCreated] = useState<PaymentLink | null>(null);
  const [again, setAgain] = useState(false);
  if (!currency) return null;
  if (!created) return <PaymentLinkForm currency={currency} initial={initial} autoFocus={again} onSaved={setCreated} />;
  return (
    <Created
      title={t("heading")}
      text={t.rich("link", {
        title: created.title,
        amount: formatMoney(created.amount_cents, created.currency),
        email: created.email,
        name: (words) => <bdi>{words}</bdi>,
      })}
      value={created.payment_url}
    >
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
    </Created>
  );
}
