import { useTranslations } from "use-intl";
import { Fact } from "@/components/ui/detail";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";

/** The tax that an amount includes; nothing without a tax. */
export function TaxFact({ of }: { of: Pick<PaymentLink, "tax_percent" | "tax_amount" | "currency"> }) {
  const t = useTranslations("paymentLinks.detail");
  const { tax_percent: percent, tax_amount, currency } = of;
  if (percent === null || tax_amount === null) return null;
  const amount = formatMoney(Math.round(tax_amount * 100), currency);
  return <Fact term={t("tax")}>{t("taxOfRate", { amount, percent })}</Fact>;
}
