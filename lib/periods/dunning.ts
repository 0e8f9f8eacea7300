import { declineReasons, isDeclineReason } from "@/lib/gateways/gateway";

/** What a business does about a period that could not be charged (docs/billing.md). */
export interface DunningPolicy {
  /** Days after the first failure, ascending. */
  days: readonly number[];
  end: "unpaid" | "cancel";
}

const day = 86_400_000;
const hour = 3_600_000;
/** Charges that failed for no reason of the card's are repeated this often before they count as failures. */
const technicalTries = 5;

/** Why a period waits for its payer: there is no card to charge. */
export const noCard = "no_card";

/** The next dunning day after `now`, counted from the first failure; null when there is none left. */
export function nextStep({ days }: DunningPolicy, failedAt: Date, now: Date): Date | null {
  const steps = days.map((count) => failedAt.getTime() + count * day).filter((time) => time > now.getTime());
  return steps.length > 0 ? new Date(Math.min(...steps)) : null;
}

export interface Failing {
  attempt_count: number;
  failed_at: Date | null;
}

/** Where a period's link stands after a charge has failed; `ends` when nothing more will be tried. */
export interface AfterFailure extends Failing {
  failed_at: Date | null;
  failure: string;
  next_step_at: Date | null;
  ends: boolean;
}

/**
 * After a charge of the saved card has failed: the next dunning day. A hard decline is not tried again with the same card,
 * but the period keeps its time until the last dunning day for another card, or the payer. A gateway's own trouble is tried
 * again within the hour and is held against nobody.
 */
export function afterFailure(policy: DunningPolicy, link: Failing, reason: string, now: Date): AfterFailure {
  const attempt_count = link.attempt_count + 1;
  if (reason === "processing_error" && attempt_count < technicalTries) {
    return { ...link, attempt_count, failure: reason, next_step_at: new Date(now.getTime() + hour), ends: false };
  }
  const failed_at = link.failed_at ?? now;
  const next = isHard(reason) ? lastStep(policy, failed_at, now) : nextStep(policy, failed_at, now);
  return { attempt_count, failed_at, failure: reason, next_step_at: next, ends: next === null };
}

/** Whether the same card is not worth another try. */
export function isHard(reason: string | null): boolean {
  return isDeclineReason(reason) && declineReasons[reason].hard;
}

function lastStep({ days }: DunningPolicy, failedAt: Date, now: Date): Date | null {
  const last = new Date(failedAt.getTime() + Math.max(0, ...days) * day);
  return last > now ? last : null;
}
