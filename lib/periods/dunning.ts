import { declineReasons, isDeclineReason } from "@/lib/gateways/reasons";

/** See docs/billing.md. */
export interface DunningPolicy {
  /** Days after the first failure, ascending. */
  days: readonly number[];
  end: "unpaid" | "cancel";
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A gateway's own trouble counts as a failed charge from this attempt on. */
const maxTechnicalAttempts = 5;

/** `failure` of a period without a card to charge. */
export const noCard = "no_card";

/** The next dunning day after `now`; null when none is left. */
export function nextStep({ days }: DunningPolicy, failedAt: Date, now: Date): Date | null {
  const steps = days.map((count) => failedAt.getTime() + count * dayMs).filter((time) => time > now.getTime());
  return steps.length > 0 ? new Date(Math.min(...steps)) : null;
}

export interface Failing {
  attempt_count: number;
  failed_at: Date | null;
}

export interface AfterFailure extends Failing {
  failed_at: Date | null;
  failure: string;
  next_step_at: Date | null;
  exhausted: boolean;
}

/**
 * Schedules the next step after a failed charge of a saved card: the next dunning day, whatever the reason. On it a usable card
 * is charged, and without one the payer is reminded. The gateway's own trouble is retried in an hour and does not count as a
 * failure: the payer can do nothing about it.
 */
export function afterFailure(policy: DunningPolicy, link: Failing, reason: string, now: Date): AfterFailure {
  const attempt_count = link.attempt_count + 1;
  if (isTechnical(reason) && attempt_count < maxTechnicalAttempts) {
    return {
      ...link,
      attempt_count,
      failure: reason,
      next_step_at: new Date(now.getTime() + hourMs),
      exhausted: false,
    };
  }
  const failed_at = link.failed_at ?? now;
  const next = nextStep(policy, failed_at, now);
  return { attempt_count, failed_at, failure: reason, next_step_at: next, exhausted: next === null };
}

const isTechnical = (reason: string) => reason === "processing_error" || reason === "gateway_refused";

export function isHard(reason: string | null): boolean {
  return isDeclineReason(reason) && declineReasons[reason].hard;
}
