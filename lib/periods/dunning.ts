import { declineReasons, isDeclineReason } from "@/lib/gateways/reasons";

/** See docs/billing.md. */
export interface DunningPolicy {
  /** Days after the first failure, ascending. */
  days: readonly number[];
  end: "unpaid" | "cancel";
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Declines that are the gateway's own trouble: the payer can do nothing about them. */
export const technicalReasons = ["processing_error", "gateway_refused"];
/** Every fifth of them in succession counts as a failed charge. */
const technicalAttempts = 5;

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
  /** How many of the card's last charges for this period failed for a technical reason, this one included. */
  technical_count: number;
  /** The step that was planned before this failure. */
  next_step_at: Date | null;
}

export interface AfterFailure {
  attempt_count: number;
  failed_at: Date | null;
  failure: string;
  next_step_at: Date | null;
  /** The payer is notified, and the subscription is past due. */
  countsAsFailure: boolean;
  exhausted: boolean;
}

/**
 * Schedules the next step after a failed charge of a saved card: the next dunning day, whatever the reason. On it a usable card
 * is charged, and without one the payer is reminded. The gateway's own trouble is retried in an hour, up to four times, before it
 * counts as a failure; after a charge by staff, at the step that was planned already.
 */
export function afterFailure(policy: DunningPolicy, link: Failing, reason: string, now: Date): AfterFailure {
  const attempt_count = link.attempt_count + 1;
  if (technicalReasons.includes(reason) && link.technical_count % technicalAttempts !== 0) {
    const planned = link.next_step_at && link.next_step_at > now ? link.next_step_at : null;
    const next_step_at = planned ?? new Date(now.getTime() + hourMs);
    return {
      attempt_count,
      failed_at: link.failed_at,
      failure: reason,
      next_step_at,
      countsAsFailure: false,
      exhausted: false,
    };
  }
  const failed_at = link.failed_at ?? now;
  const next = nextStep(policy, failed_at, now);
  return {
    attempt_count,
    failed_at,
    failure: reason,
    next_step_at: next,
    countsAsFailure: true,
    exhausted: next === null,
  };
}

export function isHard(reason: string | null): boolean {
  return isDeclineReason(reason) && declineReasons[reason].hard;
}
