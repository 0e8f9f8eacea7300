import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type Look, Pill } from "@/components/shell/pill";
import { formatMoney } from "@/lib/money";
import type { Package } from "@/lib/packages/contract";

export const statusLabels = { active: "Active", cancel: "Cancelled" } as const satisfies Record<
  Package["status"],
  string
>;

const looks: Record<Package["status"], Look> = {
  active: { label: statusLabels.active, icon: CheckCircleIcon, tone: "good" },
  cancel: { label: statusLabels.cancel, icon: ProhibitIcon, tone: "quiet" },
};

export const PackageBadge = ({ status }: { status: Package["status"] }) => <Pill {...looks[status]} />;

export const frequencyLabels: Record<Package["frequency"], string> = {
  daily: "Every day",
  weekly: "Every week",
  monthly: "Every month",
  quarterly: "Every quarter",
  semiannual: "Every 6 months",
  yearly: "Every year",
};

const units: Record<Package["frequency"], string> = {
  daily: "a day",
  weekly: "a week",
  monthly: "a month",
  quarterly: "a quarter",
  semiannual: "every 6 months",
  yearly: "a year",
};

/** "a month" */
export const perPeriod = ({ frequency }: Package): string => units[frequency];

/** "€15.00 a month" */
export const priceWords = (pkg: Package): string =>
  `${formatMoney(pkg.amount_cents, pkg.currency)} ${units[pkg.frequency]}`;

const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A calendar day of the API, which is in no time zone: "31 Jan 2027". */
export const dayWords = (day: string): string => days.format(new Date(`${day}T00:00:00Z`));
