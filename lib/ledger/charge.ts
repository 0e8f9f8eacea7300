import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { CardInput, ChargeResult, DeclineReason, Gateway } from "@/lib/gateways/gateway";
import { type Attempt, beginAttempt, type Shown, settle, setUnknown } from "./attempt";
import { countBegun } from "./attempt-limit";
import { gatewayDeadline, withDeadline } from "./deadline";

type PayResult =
  | { outcome: "paid" }
  | { outcome: "declined"; attemptId: string; reason: DeclineReason }
  /** The payer goes on to this page: the bank's, or the gateway's own. */
  | { outcome: "action"; url: string }
  /** Money may be on its way; nobody may try again before it is known. */
  | { outcome: "in_flight" }
  /** The link is not as it was shown: paid, in flight, expired, or for another amount. Nothing was attempted. */
  | { outcome: "not_begun" };

/** What the gateway is told of a link that a payer pays. */
interface PayableLink {
  id: string;
  title: string;
  email: string;
  business_name: string;
}

/**
 * Pays a link: commits the attempt, asks the gateway outside any transaction, writes down the answer. From the moment the
 * attempt is committed this never throws: whatever breaks, the payer is told to wait, not to pay again.
 * @param card from our form; null where the gateway has its own page.
 * @param shown what the payer agreed to pay.
 */
export async function payLink(
  link: PayableLink,
  gateway: Gateway,
  card: CardInput | null,
  shown: Shown,
): Promise<PayResult> {
  const id = newId("pay");
  const attempt = await beginAttempt({ id, linkId: link.id, shown, gateway, tokenizationId: null });
  if (!attempt) return { outcome: "not_begun" };
  // A limit that could not be counted is no reason to leave the payer in doubt.
  await countBegun(link.id).catch((err: unknown) => log.warn({ err }, "could not count an attempt"));
  const result = await perform(attempt, () =>
    gateway.pay({
      gatewayKey: attempt.gatewayKey,
      begunAt: attempt.begunAt,
      ...shown,
      card,
      merchant: link.business_name,
      title: link.title,
      email: link.email,
      returnPath: `/pay?id=${link.id}&wait=1`,
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

/**
 * Asks the gateway for a committed attempt's money and settles the answer. Never throws.
 * @returns null when the outcome is not known.
 */
export async function perform(attempt: Attempt, ask: () => Promise<ChargeResult>): Promise<ChargeResult | null> {
  try {
    const result = await withDeadline(ask(), gatewayDeadline);
    await settle(attempt, result);
    return result;
  } catch (error) {
    await setUnknown(attempt, error).catch((err: unknown) => {
      log.error({ err, payment: attempt.id }, "could not write down that an outcome is unknown");
    });
    return null;
  }
}
