import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/shell/pill";
import { formatMoney } from "@/lib/money";
import type { Package } from "@/lib/packages/contract";
import type { TextsOf } from "@/messages/texts-of";

const looks: Record<Package["status"], Omit<Look, "label">> = {
  active: { icon: CheckCircleIcon, tone: "good" },
  cancel: { icon: ProhibitIcon, tone: "quiet" },
};

/** The words of every status. */
export function useStatusLabels(): Record<Package["status"], string> {
  const t = useTranslations("packages.status");
  return { active: t("active"), cancel: t("cancel") };
}

export function PackageBadge({ status }: { status: Package["status"] }) {
  const t = useTranslations("packages.status");
  return <Pill {...looks[status]} label={t(status)} />;
}

/** "€15.00 a month" */
export const priceWords = (t: TextsOf<"packages.price">, pkg: Package): string =>
  t.markup(pkg.frequency, {
    amount: formatMoney(pkg.amount_cents, pkg.currency),
    sum: (chunks) => chunks,
    per: (chunks) => chunks,
  });

/** The same in a list: the amount stands out. */
export function Price({ pkg, sumClass }: { pkg: Package; sumClass: string }) {
  const t = useTranslations("packages.price");
  return t.rich(pkg.frequency, {
    amount: formatMoney(pkg.amount_cents, pkg.currency),
    sum: (chunks) => <span className={sumClass}>{chunks}</span>,
    per: (chunks) => <span className="text-kumo-subtle">{chunks}</span>,
  });
}
