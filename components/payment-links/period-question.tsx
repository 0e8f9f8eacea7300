import { useTranslations } from "use-intl";
import { useCardWords } from "@/components/tokenizations/words";
import { ConfirmDialog, type ConfirmOptions } from "@/components/ui/dialog-frames";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { PaymentLinkAction } from "@/lib/resources/payment-links/queries";
import type { Subscription, SubscriptionStatus } from "@/lib/resources/subscriptions/contract";
import { useSubscription } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { type SavedCard, useSavedCard } from "@/lib/resources/tokenizations/queries";
import type { TextsOf } from "@/messages/texts-of";

/**
 * The subscription's states in which a reopened period is charged, and in which the next period is charged after one is
 * waived (docs/billing.md).
 */
const chargingStates: readonly SubscriptionStatus[] = ["created", "active", "past_due", "unpaid"];
const renewingStates: readonly SubscriptionStatus[] = ["created", "active", "past_due"];

interface Facts {
  subscription: Subscription;
  open: PaymentLink | null;
  card: SavedCard | null;
}

interface PeriodQuestionProps extends Omit<ConfirmOptions, "action"> {
  link: PaymentLink;
  subscriptionId: string;
  linkAction: PaymentLinkAction;
}

export function PeriodQuestion({ link, subscriptionId, linkAction, body, ...question }: PeriodQuestionProps) {
  const t = useTranslations("paymentLinks.questions");
  const cardWords = useCardWords();
  const needsFacts = linkAction !== "send";
  const subscription = useSubscription(subscriptionId, useNow(), needsFacts);
  const card = useSavedCard(link.email, false, needsFacts);
  const facts =
    subscription.data && card.data !== undefined
      ? { subscription: subscription.data.subscription, open: subscription.data.open, card: card.data }
      : null;
  const { action, words } = effectOf(t, linkAction, link, facts, cardWords);
  return (
    <ConfirmDialog
      {...question}
      action={action}
      body={
        <>
          {body}
          {words && <p>{words}</p>}
        </>
      }
    />
  );
}

type Texts = TextsOf<"paymentLinks.questions">;
type CardWords = ReturnType<typeof useCardWords>;

interface Effect {
  action: string;
  words?: string;
}

function effectOf(
  t: Texts,
  linkAction: PaymentLinkAction,
  link: PaymentLink,
  facts: Facts | null,
  cardWords: CardWords,
): Effect {
  if (linkAction === "activate") return effectOfReopening(t, link, facts, cardWords);
  const action = t(`${linkAction}.action`);
  return linkAction === "send" ? { action } : { action, words: effectOfWaiving(t, link, facts, cardWords) };
}

/** The other unpaid periods, oldest first, as far as the subscription includes them. */
function otherUnpaid(link: PaymentLink, { subscription, open }: Facts): PaymentLink[] {
  const carried = subscription.payment_links.filter(({ status }) => status === "Active" || status === "Processing");
  const rows = new Map([...(open ? [open] : []), ...carried].map((row) => [row._id, row]));
  rows.delete(link._id);
  return [...rows.values()].sort((a, b) => ((a.period_start ?? "") < (b.period_start ?? "") ? -1 : 1));
}

const isOlder = (than: PaymentLink) => (row: PaymentLink) => (row.period_start ?? "") < (than.period_start ?? "");

function effectOfReopening(t: Texts, link: PaymentLink, facts: Facts | null, cardWords: CardWords): Effect {
  if (!facts) return { words: t("period.mayCharge"), action: t("period.activateAndCharge") };
  const action = t("activate.action");
  if (!chargingStates.includes(facts.subscription.status)) return { words: t("period.notCharged"), action };
  if (!facts.card) return { words: t("period.noCard"), action };
  const card = cardWords(facts.card);
  if (otherUnpaid(link, facts).some(isOlder(link)))
    return { words: t("period.chargesOldest", { card }), action: t("period.activateAndCharge") };
  const amount = formatMoney(link.amount_cents, link.currency);
  return { words: t("period.charges", { card, amount }), action: t("period.activateAndChargeAmount", { amount }) };
}

function effectOfWaiving(t: Texts, link: PaymentLink, facts: Facts | null, cardWords: CardWords): string {
  if (link.status !== "Active") return t("period.staysWaived");
  if (!facts) return `${t("period.waived")} ${t("period.mayRecover")}`;
  const { subscription, card } = facts;
  const [next] = otherUnpaid(link, facts);
  const behind = subscription.status === "past_due" || subscription.status === "unpaid";
  // An older period already has its next attempt.
  const following = next && !isOlder(link)(next) && next.status === "Active" && next.next_attempt_at === null;
  return [
    t("period.waived"),
    behind && t(next ? "period.mayRecover" : "period.recovers"),
    following &&
      card &&
      renewingStates.includes(subscription.status) &&
      t("period.nextCharged", { card: cardWords(card) }),
  ]
    .filter((part) => !!part)
    .join(" ");
}
