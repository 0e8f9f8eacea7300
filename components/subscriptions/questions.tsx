import { useState } from "react";
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
  /** For `cancel`. */
  onCloseLinks: (close: boolean) => void;
}

export function Consequences({ question, subscription, owes, onCloseLinks }: ConsequencesProps) {
  const t = useTranslations("subscriptions.questions");
  const [keepsLinks, setKeepsLinks] = useState(false);
  const { current_period_end, next_charge_at, status } = subscription;
  if (question === "endLater") {
    const end = current_period_end ?? next_charge_at;
    if (!end || (status === "created" && !current_period_end)) return <p>{t("endLater.textNotBegun")}</p>;
    return (
      <>
        <p>{t.rich("endLater.text", { when: () => <Moment at={end} /> })}</p>
        {owes && <p>{t("endLater.owed")}</p>}
      </>
    );
  }
  if (question === "keep") {
    if (!next_charge_at) return <p>{t("keep.textUnknown")}</p>;
    return <p>{t.rich("keep.text", { when: () => <Moment at={next_charge_at} /> })}</p>;
  }
  return (
    <>
      <p>{t(`${question}.text`)}</p>
      {owes && <p>{t(keepsLinks ? "cancel.owedKept" : `${question}.owed`)}</p>}
      {owes && question === "cancel" && (
        <label className="mt-2 flex items-center gap-2.5 text-base text-kumo-default">
          <input
            type="checkbox"
            checked={keepsLinks}
            onChange={({ target }) => {
              setKeepsLinks(target.checked);
              onCloseLinks(!target.checked);
            }}
            className="size-4.5 accent-(--ink-brand)"
          />
          {t("cancel.keepLinks")}
        </label>
      )}
    </>
  );
}
