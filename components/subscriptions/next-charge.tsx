import type { ReactNode } from "react";
import { Moment } from "@/components/shell/moment";
import { cardName } from "@/components/tokenizations/words";
import type { PaymentLink } from "@/lib/payment-links/contract";
import type { Subscription } from "@/lib/subscriptions/contract";
import type { SavedCard } from "@/lib/tokenizations/queries";

interface NextCharge {
  headline: ReactNode;
  detail?: ReactNode;
}

interface Facts {
  subscription: Subscription;
  /** The oldest period that is not paid. */
  open: PaymentLink | null;
  /** Undefined while it is not known. */
  card: SavedCard | null | undefined;
  now: Date;
}

const byHand = "Its open periods can still be paid on their pages.";

/** What is charged next and when, or why nothing is, in words. */
export function nextCharge({ subscription, open, card, now }: Facts): NextCharge {
  const { status, cancel_at_period_end, current_period_end, next_charge_at, payment_links } = subscription;
  const still = open ? byHand : undefined;
  if (status === "cancel")
    return { headline: "Nothing more will be charged: the subscription is cancelled.", detail: still };
  if (status === "completed")
    return { headline: "Nothing more will be charged: the last period is over.", detail: still };
  if (status === "paused")
    return {
      headline: "Nothing is charged while it is paused.",
      detail: `Periods that begin meanwhile are left out. ${still ?? ""}`,
    };
  if (status === "unpaid")
    return {
      headline: "Nothing more will be charged: the last try has failed.",
      detail: "It goes on as soon as the payer saves another card, or pays the open period on its page.",
    };
  if (payment_links.some((link) => link.status === "Processing")) return { headline: "A payment is in progress." };
  if (open) return { ...owed(open, card, now), detail: after(subscription, open) };
  if (cancel_at_period_end && current_period_end)
    return {
      headline: (
        <>
          Nothing more will be charged: it ends on <Moment at={current_period_end} />.
        </>
      ),
    };
  if (next_charge_at === null) return { headline: "Nothing is due." };
  const ends = cancel_at_period_end ? "It ends when that period is over." : undefined;
  if (card === null)
    return {
      headline: (
        <>
          Due on <Moment at={next_charge_at} />. Waits for the payer: no card saved.
        </>
      ),
      detail: ends ?? "Ask for a card, or the payer pays every period on its page.",
    };
  return {
    headline: (
      <>
        {current_period_end ? "Charged" : "First charged"} on <Moment at={next_charge_at} />
        {card && " to the saved card"}.
      </>
    ),
    detail: ends,
  };
}

/** What becomes of a period that is not paid. */
function owed(open: PaymentLink, card: Facts["card"], now: Date): NextCharge {
  if (open.next_attempt_at !== null && Date.parse(open.next_attempt_at) <= now.getTime())
    return { headline: "Is being charged now." };
  if (open.next_attempt_at !== null)
    return {
      headline: (
        <>
          {open.attempt_count > 0 ? "Next try" : "Charged"} on <Moment at={open.next_attempt_at} time />
          {card && `, with ${cardName(card)}`}.
        </>
      ),
    };
  if (card === null) return { headline: "Waits for the payer: no card saved." };
  if (open.attempt_count > 0) return { headline: "Waits for the payer: the bank has refused the saved card for good." };
  return { headline: "Waits for the payer." };
}

/** Which period is owed, and what comes after it. */
function after({ cancel_at_period_end, next_charge_at }: Subscription, open: PaymentLink): ReactNode {
  return (
    <>
      {open.period_start && (
        <>
          The period from <Moment at={open.period_start} /> is not paid
          {open.attempt_count > 0 && ` (${open.attempt_count} failed ${open.attempt_count === 1 ? "try" : "tries"})`}.{" "}
        </>
      )}
      {next_charge_at && (
        <>
          {cancel_at_period_end ? "It ends" : "The next one begins"} on <Moment at={next_charge_at} />.
        </>
      )}
    </>
  );
}

/** The same in a list's few words. */
export function NextChargeShort({ subscription }: { subscription: Subscription }) {
  const { status, cancel_at_period_end, current_period_end, next_charge_at, payment_links } = subscription;
  const open = payment_links.findLast((link) => link.status === "Active");
  const running = status === "created" || status === "active" || status === "past_due";
  if (running && open)
    return open.next_attempt_at ? (
      <>
        {open.attempt_count > 0 && "Next try "}
        <Moment at={open.next_attempt_at} />
      </>
    ) : (
      "Waits for the payer"
    );
  if (running && cancel_at_period_end && current_period_end)
    return (
      <>
        Ends <Moment at={current_period_end} />
      </>
    );
  if (running && next_charge_at) return <Moment at={next_charge_at} />;
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">None</span>
    </>
  );
}
