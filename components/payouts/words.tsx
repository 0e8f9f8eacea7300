import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useFormatter, useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { Payout } from "@/lib/resources/payouts/contract";

const looks: Record<Payout["status"], Omit<Look, "label">> = {
  pending: { icon: HourglassIcon, tone: "info" },
  in_transit: { icon: PaperPlaneTiltIcon, tone: "info" },
  paid: { icon: CheckCircleIcon, tone: "good" },
  failed: { icon: XCircleIcon, tone: "bad" },
  canceled: { icon: ProhibitIcon, tone: "quiet" },
};

export function PayoutBadge({ status }: { status: Payout["status"] }) {
  const t = useTranslations("payouts.status");
  return <Pill {...looks[status]} label={t(status)} />;
}

interface OfAccount {
  gateway: string;
  external_id: string | null;
}

export function AccountName({ of: { gateway, external_id } }: { of: OfAccount }) {
  return (
    <>
      <span className="capitalize">{gateway}</span>
      {external_id && <span className="ml-2 font-mono text-xs font-normal text-kumo-subtle">{external_id}</span>}
    </>
  );
}

/** The day of a date without a time, such as the day of arrival: the same in every time zone. */
export function Day({ of: day }: { of: string }) {
  const format = useFormatter();
  return (
    <time dateTime={day} className="whitespace-nowrap tabular-nums">
      {format.dateTime(new Date(day), { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })}
    </time>
  );
}
