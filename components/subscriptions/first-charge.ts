import { useTimeZone, useTranslations } from "use-intl";
import { useFirstCharge } from "@/components/packages/words";
import { useMode } from "@/components/shell/may";
import { useCardWords } from "@/components/tokenizations/words";
import { formatMoney } from "@/lib/core/money";
import { firstAnchor, wallTime } from "@/lib/periods/calendar";
import type { Package } from "@/lib/resources/packages/contract";
import { useNow } from "@/lib/resources/test-clock/queries";
import type { SavedCard } from "@/lib/resources/tokenizations/queries";

interface FirstCharge {
  pkg: Package;
  /** The customer's that billing charges; null without one, undefined if not known. */
  card: SavedCard | null | undefined;
  /** Whether the subscription exists already. */
  created: boolean;
}

/** Says when a new subscription is charged first, how much, and to which card. */
export function useFirstChargeWords(): (charge: FirstCharge) => string {
  const t = useTranslations("subscriptions.form.firstCharge");
  const cardWords = useCardWords();
  const dayOf = useFirstCharge();
  const mode = useMode();
  const now = useNow();
  const timezone = useTimeZone() ?? "UTC";
  return ({ pkg, card, created }) => {
    const later = firstAnchor(pkg.date_charge_start, now, timezone) > wallTime(now, timezone);
    const amount = formatMoney(pkg.amount_cents, pkg.currency);
    const when = later ? "later" : "now";
    const values = { amount, day: dayOf(pkg) };
    if (card === undefined) return t(when, values);
    if (card === null) return [t(`${when}NoCard`, values), mode === "test" && t("testMode")].filter(Boolean).join(" ");
    return t(created && !later ? "queued" : `${when}With`, { ...values, card: cardWords(card) });
  };
}
