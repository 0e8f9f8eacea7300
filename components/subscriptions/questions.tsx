import { useTranslations } from "use-intl";
import { Moment } from "@/components/ui/moment";
import type { Subscription } from "@/lib/resources/subscriptions/contract";

export type Question = "pause" | "resume" | "cancel" | "endLater" | "keep" | "remove";

export const destructive: Record<Question, boolean> = {
  pause: false,
  resume: false,
  cancel: true,
  endLater: true,
  keep: false,
  remove: true,
};

interface ConsequencesProps {
  question: Question;
  subscription: Subscription;
  owes: boolean;
}

export function Consequences({ question, subscription, owes }: ConsequencesProps) {
  const t = useTranslations("subscriptions.questions");
  const { current_period_end, next_charge_at } = subscription;
  if (question === "endLater") {
    if (current_period_end) return <p>{t.rich("endLater.text", { when: () => <Moment at={current_period_end} /> })}</p>;
    if (!next_charge_at) return <p>{t("endLater.textFirstUnknown")}</p>;
    return <p>{t.rich("endLater.textFirst", { when: () => <Moment at={next_charge_at} /> })}</p>;
  }
  if (question === "keep") {
    if (!next_charge_at) return <p>{t("keep.textUnknown")}</p>;
    return <p>{t.rich("keep.text", { when: () => <Moment at={next_charge_at} /> })}</p>;
  }
  return (
    <>
      <p>{t(`${question}.text`)}</p>
      {owes && <p>{t(`${question}.owed`)}</p>}
    </>
  );
}
