import { setTimeout as sleep } from "node:timers/promises";
import { NoAnswer } from "@/lib/gateways/gateway";
import {
  type DeclineReason,
  type DisputeReason,
  isDeclineReason,
  type RefundFailure,
  type Risk,
} from "@/lib/gateways/reasons";
import type { Behaviour } from "./cards";

export const decisionDelayMs = 10_000;

const slowMs = 4_000;

/** Initial state of a charge. `processing` later fails if it has a reason, else succeeds. */
export interface ChargePlan {
  status: "succeeded" | "failed" | "requires_action" | "processing";
  reason: DeclineReason | null;
}

const succeeded: ChargePlan = { status: "succeeded", reason: null };
const failed = (reason: DeclineReason): ChargePlan => ({ status: "failed", reason });

export function planPayment(behaviour: Behaviour): ChargePlan {
  if (isDeclineReason(behaviour)) return failed(behaviour);
  switch (behaviour) {
    case "challenge":
    case "challenge_once":
    case "challenge_always":
      return { status: "requires_action", reason: null };
    case "late_success":
      return { status: "processing", reason: null };
    case "late_decline":
      return { status: "processing", reason: "card_declined" };
    case "saved_declined":
      return failed("card_declined");
    case "risk_highest":
      return failed("card_blocked");
    default:
      return succeeded;
  }
}

export function planSaved(behaviour: Behaviour): ChargePlan {
  switch (behaviour) {
    case "challenge":
    case "challenge_always":
      return failed("authentication_required");
    case "challenge_once":
      return succeeded;
    case "saved_expires":
      return failed("expired_card");
    default:
      return planPayment(behaviour);
  }
}

/** Initial state of a refund. After `decidedAfterMs` a pending one succeeds, a succeeded one fails. */
export interface RefundPlan {
  status: "pending" | "succeeded" | "failed";
  failure: RefundFailure | null;
  decidedAfterMs: number | null;
}

export function planRefund(behaviour: string): RefundPlan {
  switch (behaviour) {
    case "refund_pending":
      return { status: "pending", failure: null, decidedAfterMs: decisionDelayMs };
    case "refund_fails":
      return { status: "succeeded", failure: "card_gone", decidedAfterMs: decisionDelayMs };
    case "refund_refused":
      return { status: "failed", failure: "declined", decidedAfterMs: null };
    default:
      return { status: "succeeded", failure: null, decidedAfterMs: null };
  }
}

/** The dispute that a charge gets at once. An inquiry withdraws nothing. */
export interface DisputePlan {
  reason: DisputeReason;
  outcome: "won" | "lost" | "closed";
  decidedAfterMs: number;
}

export const responseTimeMs = 7 * 86_400_000;

export function planDispute(behaviour: Behaviour): DisputePlan | null {
  switch (behaviour) {
    case "dispute_open":
      return { reason: "fraudulent", outcome: "lost", decidedAfterMs: responseTimeMs };
    case "dispute_won":
      return { reason: "unrecognized", outcome: "won", decidedAfterMs: decisionDelayMs };
    case "dispute_lost":
      return { reason: "not_received", outcome: "lost", decidedAfterMs: decisionDelayMs };
    case "dispute_inquiry":
      return { reason: "general", outcome: "closed", decidedAfterMs: decisionDelayMs };
    default:
      return null;
  }
}

export function planRisk(behaviour: string): Risk {
  switch (behaviour) {
    case "risk_highest":
      return "highest";
    case "risk_elevated":
    case "dispute_open":
    case "dispute_won":
    case "dispute_lost":
    case "dispute_inquiry":
      return "elevated";
    default:
      return "normal";
  }
}

/** Simulates a slow or lost reply for the test cards that have one. */
export async function delayReply(behaviour: Behaviour): Promise<void> {
  if (behaviour === "lost_reply") throw new NoAnswer("The sandbox lost its reply, as this test card requires.");
  if (behaviour === "slow") await sleep(slowMs);
}
