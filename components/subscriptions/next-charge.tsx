import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { useCardWords } from "@/components/tokenizations/words";
import { Moment } from "@/components/ui/moment";
import { cardExpiresAt } from "@/lib/core/card-expiry";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { nextAmount } from "@/lib/resources/subscriptions/next-amount";
import type { SavedCard } from "@/lib/resources/tokenizations/queries";
import type { TextsOf } from "@/messages/texts-of";

interface NextCharge {
  headline: ReactNode;
  detail?: ReactNode;
}

interface Facts {
  subscription: Subscription;
  open: PaymentLink | null;
  card: SavedCard | null | undefined;
  /** In place of a card that can be charged. */
  declined: SavedCard | null;
  now: Date;
  cardWords: ReturnType<typeof useCardWords>;
}

type Texts = TextsOf<"subscriptions.nextCharge">;

const at = (instant: string, time = false) => ({ when: () => <Moment at={instant} time={time} /> });

export function nextCharge(t: Texts, facts: Facts): NextCharge {
  const { subscription, open, card } = facts;
  const { status, cancel_at_period_end, current_period_end, next_charge_at, payment_links } = subscription;
  const still = open ? t("payableByHand") : undefined;
  if (status === "cancel") return { headline: t("cancelled"), detail: still };
  if (status === "completed") return { headline: t("completed"), detail: still };
  if (status === "paused")
    return {
      headline: t(subscription.paused_reason ? "pausedByDispute" : "paused"),
      detail: `${t(subscription.paused_reason ? "pausedByDisputeHelp" : "pausedPeriods")} ${still ?? ""}`,
    };
  if (status === "unpaid") return { headline: t("unpaid"), detail: t("unpaidHelp") };
  if (payment_links.some((link) => link.status === "Processing")) return { headline: t("processing") };
  if (open) return { headline: owed(t, open, facts), detail: after(t, subscription, open) };
  if (next_charge_at === null) return { headline: t("nothingDue") };
  const first = status === "created" && current_period_end === null;
  if (cancel_at_period_end && !first) return { headline: t.rich("endsOn", at(next_charge_at)) };
  const ends = cancel_at_period_end ? t("endsAfterPeriod") : undefined;
  if (card === null)
    return {
      headline: t.rich(facts.declined ? "dueRefused" : "dueWithoutCard", at(next_charge_at)),
      detail: ends ?? t("dueWithoutCardHelp"),
    };
  const expires = card && cardExpiresAt(card.exp_year, card.exp_month) <= Date.parse(next_charge_at);
  const charged = first ? "firstCharged" : "charged";
  const amount = formatMoney(nextAmount(subscription), subscription.package.currency);
  const when = { ...at(next_charge_at), amount };
  const headline = card ? t.rich(`${charged}With`, { ...when, card: facts.cardWords(card) }) : t.rich(charged, when);
  return { headline, detail: [expires && t("cardExpires"), ends].filter(Boolean).join(" ") || undefined };
}

function owed(t: Texts, open: PaymentLink, { card, declined, now, cardWords }: Facts): ReactNode {
  if (open.next_attempt_at !== null && Date.parse(open.next_attempt_at) <= now.getTime()) return t("now");
  if (open.next_attempt_at !== null) {
    const charged = open.attempt_count > 0 ? "nextTry" : "charged";
    const when = { ...at(open.next_attempt_at, true), amount: formatMoney(open.amount_cents, open.currency) };
    return card ? t.rich(`${charged}With`, { ...when, card: cardWords(card) }) : t.rich(charged, when);
  }
  if (open.awaiting_transfer_since !== null) return t("waitsForTransfer");
  if (card === null) return t(declined ? "waitsRefused" : "waitsWithoutCard");
  return t("waits");
}

function after(t: Texts, { cancel_at_period_end, next_charge_at }: Subscription, open: PaymentLink): ReactNode {
  const { period_start, attempt_count: count } = open;
  return (
    <>
      {period_start && (
        <>
          {count > 0
            ? t.rich("periodFailed", { ...at(period_start), count })
            : t.rich("periodNotPaid", at(period_start))}{" "}
        </>
      )}
      {next_charge_at && t.rich(cancel_at_period_end ? "thenEnds" : "thenNextBegins", at(next_charge_at))}
    </>
  );
}

const isRunning = ({ status }: Subscription): boolean =>
  status === "created" || status === "active" || status === "past_due";

/** The oldest unpaid period. */
export const openPeriodOf = ({ payment_links }: Subscription): PaymentLink | undefined =>
  payment_links.findLast((link) => link.status === "Active");

/** Whether `NextChargeShort` shows anything. */
export const hasNextCharge = (subscription: Subscription): boolean =>
  subscription.ended_at !== null ||
  subscription.status === "paused" ||
  (isRunning(subscription) && (subscription.next_charge_at !== null || openPeriodOf(subscription) !== undefined));

export function NextChargeShort({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions.nextChargeShort");
  const { status, cancel_at_period_end, current_period_end, next_charge_at } = subscription;
  const open = openPeriodOf(subscription);
  const charges = (when: string, cents: number) =>
    cents === subscription.amount_cents
      ? t.rich("charges", at(when))
      : t.rich("chargesOtherAmount", { ...at(when), amount: formatMoney(cents, subscription.package.currency) });
  const running = isRunning(subscription);
  if (running && open)
    return !open.next_attempt_at
      ? t(open.awaiting_transfer_since ? "waitsForTransfer" : "waits")
      : open.attempt_count > 0
        ? t.rich("nextTry", at(open.next_attempt_at))
        : charges(open.next_attempt_at, open.amount_cents);
  if (running && cancel_at_period_end && next_charge_at && (status !== "created" || current_period_end))
    return t.rich("ends", at(next_charge_at));
  if (running && next_charge_at) return charges(next_charge_at, nextAmount(subscription));
  if (subscription.ended_at) return t.rich(status === "unpaid" ? "stopped" : "ended", at(subscription.ended_at));
  if (status === "paused") return t("paused");
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">{t("none")}</span>
    </>
  );
}
