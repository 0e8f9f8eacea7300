import { setTimeout as sleep } from "node:timers/promises";
import { type DeclineReason, isDeclineReason, type RefundFailure } from "@/lib/gateways/gateway";
import type { Behaviour } from "./cards";

/** Milliseconds until the sandbox decides what it decides late. */
export const decisionDelayMs = 10_000;

const slowMs = 4_000;

/** How a charge begins. A `processing` one succeeds once decided, or fails if it has a reason. */
export interface ChargePlan {
  status: "succeeded" | "failed" | "requires_action" | "processing";
  reason: DeclineReason | null;
}

const succeeded: ChargePlan = { status: "succeeded", reason: null };
const failed = (reason: DeclineReason): ChargePlan => ({ status: "failed", reason });

/** What becomes of a card whose payer is present. */
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
    default:
      return succeeded;
  }
}

/** What becomes of a card on file, whose payer is away. */
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

/** How a refund begins. With a delay (ms) a pending one succeeds by then, a succeeded one has failed by then. */
export interface RefundPlan {
  status: "pending" | "succeeded" | "failed";
  failure: RefundFailure | null;
  decidedAfter: number | null;
}

/** What becomes of a refund, as the card of its charge asks. */
export function planRefund(behaviour: string): RefundPlan {
  switch (behaviour) {
    case "refund_pending":
      return { status: "pending", failure: null, decidedAfter: decisionDelayMs };
    case "refund_fails":
      return { status: "succeeded", failure: "card_gone", decidedAfter: decisionDelayMs };
    case "refund_refused":
      return { status: "failed", failure: "declined", decidedAfter: null };
    default:
      return { status: "succeeded", failure: null, decidedAfter: null };
  }
}

/** How the answer about a charge travels: as fast as it can, slowly, or never. */
export async function travel(behaviour: Behaviour): Promise<void> {
  if (behaviour === "lost_reply") throw new Error("The sandbox lost its reply, as this test card asks.");
  if (behaviour === "slow") await sleep(slowMs);
}
