import type { ReactNode } from "react";
import { Moment } from "@/components/shell/moment";
import type { Subscription } from "@/lib/subscriptions/contract";

export type Question = "pause" | "resume" | "cancel" | "endLater" | "keep" | "remove";

interface Words {
  title: string;
  action: string;
  /** The toast's, before the e-mail. */
  done: string;
  destructive?: boolean;
  /** What will happen to this one. */
  text: (subscription: Subscription, owes: boolean) => ReactNode;
}

const stillPayable = <p>Periods that are not paid can still be paid on their pages.</p>;

/** What is asked before a subscription is changed. */
export const questions: Record<Question, Words> = {
  pause: {
    title: "Pause this subscription?",
    action: "Pause",
    done: "Paused",
    text: (_, owes) => (
      <>
        <p>
          Nothing is charged until it is resumed. Periods that would begin meanwhile are left out and not made up for.
        </p>
        {owes && stillPayable}
      </>
    ),
  },
  resume: {
    title: "Resume this subscription?",
    action: "Resume",
    done: "Resumed",
    text: (_, owes) => (
      <>
        <p>The next period begins on its usual day, and is charged then. Those of the pause are not made up for.</p>
        {owes && <p>The oldest period that is not paid is charged at once.</p>}
      </>
    ),
  },
  cancel: {
    title: "Cancel this subscription now?",
    action: "Cancel now",
    done: "Cancelled",
    destructive: true,
    text: (_, owes) => (
      <>
        <p>Nothing more is charged, and no further period begins. What was paid stays paid. This cannot be undone.</p>
        {owes && stillPayable}
      </>
    ),
  },
  endLater: {
    title: "Cancel at the period’s end?",
    action: "Cancel at period end",
    done: "Ends by itself",
    destructive: true,
    text: ({ current_period_end, next_charge_at }) => (
      <p>
        {current_period_end ? (
          <>
            It ends on <Moment at={current_period_end} />, without a further charge.
          </>
        ) : (
          <>The first period {next_charge_at && <Begins at={next_charge_at} />} is still charged; it ends with it.</>
        )}{" "}
        Until then this can be undone.
      </p>
    ),
  },
  keep: {
    title: "Let it go on?",
    action: "Let it go on",
    done: "Goes on",
    text: ({ next_charge_at }) => (
      <p>
        It does not end with its period: the next one begins
        {next_charge_at && (
          <>
            {" "}
            on <Moment at={next_charge_at} />
          </>
        )}{" "}
        and is charged.
      </p>
    ),
  },
  remove: {
    title: "Delete this subscription?",
    action: "Delete",
    done: "Deleted",
    destructive: true,
    text: (_, owes) => (
      <>
        <p>
          All charging stops, and it disappears from the list. Its payments stay in the books. This cannot be undone.
        </p>
        {owes && <p>The pages of periods that are not paid are closed.</p>}
      </>
    ),
  },
};

const Begins = ({ at }: { at: string }) => (
  <>
    from <Moment at={at} />
  </>
);
