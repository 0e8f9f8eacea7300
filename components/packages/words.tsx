import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useFormatter, useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import { formatMoney } from "@/lib/core/money";
import type { Package } from "@/lib/resources/packages/contract";
import type { TextsOf } from "@/messages/texts-of";

export const packageLooks: Record<Package["status"], Omit<Look, "label">> = {
  active: { icon: CheckCircleIcon, tone: "good" },
  cancel: { icon: ProhibitIcon, tone: "quiet" },
};

export function PackageBadge({ status }: { status: Package["status"] }) {
  const t = useTranslations("packages.status");
  return <Pill {...packageLooks[status]} label={t(status)} />;
}

/** "€15.00 a month" */
export const priceWords = (t: TextsOf<"packages.price">, pkg: Package): string =>
  t.markup(pkg.frequency, {
    amount: formatMoney(pkg.amount_cents, pkg.currency),
    sum: (chunks) => chunks,
    per: (chunks) => chunks,
  });

export function Price({ pkg, sumClass }: { pkg: Package; sumClass: string }) {
  const t = useTranslations("packages.price");
  return t.rich(pkg.frequency, {
    amount: formatMoney(pkg.amount_cents, pkg.currency),
    sum: (chunks) => <span className={sumClass}>{chunks}</span>,
    per: (chunks) => <span className="text-kumo-subtle">{chunks}</span>,
  });
}

/** "31 Jan 2027". The API's calendar days have no time zone. */
const calendarDay = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;

export function useFirstCharge(): (pkg: Package) => string {
  const t = useTranslations("packages.form");
  const format = useFormatter();
  return ({ date_charge_start: day }) =>
    day ? format.dateTime(new Date(`${day}T00:00:00Z`), calendarDay) : t("firstChargeOpen");
}
