import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import { useTranslations } from "use-intl";
import { Fact } from "@/components/ui/detail";
import { Pill } from "@/components/ui/pill";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { refundable } from "./words";

/** The gateway's assessment of the risk, with advice while a refund can still prevent a dispute. */
export function RiskFact({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments.risk");
  const { risk, dispute_status } = payment;
  if (risk === null || risk === "normal") return <Fact term={t("term")}>{t(risk ?? "unknown")}</Fact>;
  return (
    <Fact term={t("term")} long>
      <Pill icon={WarningIcon} tone={risk === "highest" ? "bad" : "warning"} label={t(risk)} />
      {!dispute_status && refundable(payment) > 0 && <span className="mt-1 block text-kumo-subtle">{t("advice")}</span>}
    </Fact>
  );
}
