import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { About, CardInput, ChargeResult, Gateway } from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { type Attempt, type Begin, beginAttempt, type Shown, settle, setUnknown } from "./attempt";
import { countAttempt } from "./attempt-limit";
import { closeAttemptsOf } from "./by-hand";
import { gatewayDeadlineMs, withDeadline } from "./deadline";

type PayResult =
  | { outcome: "paid" }
  | { outcome: "declined"; attemptId: string; reason: DeclineReason }
  | { outcome: "action"; url: string }
  /** Money may have moved. The link accepts no other attempt until the outcome is known. */
  | { outcome: "in_flight" }
  /** The link is paid, in flight, expired or has another amount or tax now. Nothing was attempted. */
  | { outcome: "not_begun" };

interface PayableLink {
  id: string;
  livemode: boolean;
  title: string;
  email: string;
  business_name: string;
  subscription_id: string | null;
  period_index: number | null;
  reference: string | null;
}

/**
 * Begins an attempt as `beginAttempt` does. If the link's `unclosedAttempts` block it, closes them at the gateway and tries again.
 * @throws ApiError gateway_away when they cannot be closed
 */
export async function startAttempt(begin: Begin): Promise<Attempt | null> {
  const attempt = await beginAttempt(begin);
  if (attempt) return attempt;
  const unclosed = await closeAttemptsOf(begin.linkId);
  return unclosed && beginAttempt({ ...begin, ignored: unclosed.unanswered });
}

/**
 * Pays a link: commits the attempt, calls the gateway outside any transaction, settles the result. Never throws once
 * the attempt is committed: after an error the payer is asked to wait, not to pay again.
 * @param payer `card`: from our form; null where the gateway has its own page. `saveCard`: whether the payer agreed that the card is saved.
 * `returnPath`: where the gateway's or bank's page sends them back to
 */
export async function payLink(
  link: PayableLink,
  gateway: Gateway,
  payer: { card: CardInput | null; saveCard: boolean; returnPath: `/${string}` },
  shown: Shown,
): Promise<PayResult> {
  const id = newId("pay");
  const attempt = await startAttempt({ id, linkId: link.id, shown, gateway, tokenizationId: null });
  if (!attempt) return { outcome: "not_begun" };
  // The attempt is committed: a failing rate limiter must not stop it.
  await countAttempt(link).catch((err: unknown) => log.warn({ err }, "could not count an attempt"));
  const result = await performCharge(attempt, () =>
    gateway.pay({
      gatewayKey: attempt.gatewayKey,
      startedAt: attempt.startedAt,
      amountCents: shown.amountCents,
      currency: shown.currency,
      ...payer,
      merchant: link.business_name,
      title: link.title,
      about: aboutOf(link),
      email: link.email,
    }),
  );
  switch (result?.outcome) {
    case "succeeded":
      return { outcome: "paid" };
    case "declined":
      return { outcome: "declined", attemptId: attempt.id, reason: result.reason };
    case "action":
      return { outcome: "action", url: result.url };
    default:
      return { outcome: "in_flight" };
  }
}

/** What an attempt on this link pays for, for the gateway's records. */
export function aboutOf(link: Pick<PayableLink, "id" | "subscription_id" | "period_index" | "reference">): About {
  const { id: linkId, subscription_id: subscriptionId, period_index: periodIndex, reference } = link;
  return { linkId, subscriptionId, periodIndex, reference };
}

/**
 * Runs the gateway call of a committed attempt and settles its result. Never throws.
 * @returns null when the outcome is unknown
 */
export async function performCharge(
  attempt: Attempt,
  callGateway: () => Promise<ChargeResult>,
): Promise<ChargeResult | null> {
  try {
    const result = await withDeadline(callGateway(), gatewayDeadlineMs);
    await settle(attempt, result);
    return result;
  } catch (error) {
    await setUnknown(attempt, error).catch((err: unknown) => {
      log.error({ err, payment: attempt.id }, "could not record an unknown outcome");
    });
    return null;
  }
}
