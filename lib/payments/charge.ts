import type { CardInput, ChargeResult, DeclineReason, Gateway } from "../gateways/gateway";
import { log } from "../log";
import { type Attempt, beginAttempt, type Shown, settle, setUnknown } from "./attempt";
import { gatewayDeadline, withDeadline } from "./deadline";
import { countBegun } from "./limit";
import type { Payable } from "./payable";

type PayResult =
  | { outcome: "paid" }
  | { outcome: "declined"; attemptId: string; reason: DeclineReason }
  /** The payer goes on to this page of the payer's bank. */
  | { outcome: "challenge"; url: `/${string}` }
  /** Money may be on its way; nobody may try again before it is known. */
  | { outcome: "in_flight" }
  /** The link is not as it was shown: paid, in flight, expired, or for another amount. Nothing was attempted. */
  | { outcome: "not_begun" };

/**
 * Pays a link with a card: commits the attempt, asks the gateway outside any transaction, writes down the answer. From
 * the moment the attempt is committed this never throws: whatever breaks, the payer is told to wait, not to pay again.
 * @param shown what the payer agreed to pay.
 */
export async function payLink(link: Payable, gateway: Gateway, card: CardInput, shown: Shown): Promise<PayResult> {
  const attempt = await beginAttempt(link.id, shown, gateway.name);
  if (!attempt) return { outcome: "not_begun" };
  try {
    // A limit that could not be counted is no reason to leave the payer in doubt.
    await countBegun(link.id).catch((err: unknown) => log.warn({ err }, "could not count an attempt"));
    const result = await ask(gateway, attempt, link, card, shown);
    await settle(attempt, result);
    switch (result.outcome) {
      case "succeeded":
        return { outcome: "paid" };
      case "declined":
        return { outcome: "declined", attemptId: attempt.id, reason: result.reason };
      case "challenge":
        return { outcome: "challenge", url: result.url };
    }
  } catch (error) {
    await setUnknown(attempt, error).catch((err: unknown) => {
      log.error({ err, payment: attempt.id }, "could not write down that an outcome is unknown");
    });
    return { outcome: "in_flight" };
  }
}

function ask(gateway: Gateway, attempt: Attempt, link: Payable, card: CardInput, shown: Shown): Promise<ChargeResult> {
  const charge = gateway.charge({
    gatewayKey: attempt.gatewayKey,
    amountCents: shown.amountCents,
    currency: shown.currency,
    card,
    merchant: link.business_name,
    returnPath: `/pay?id=${link.id}&wait=1`,
  });
  return withDeadline(charge, gatewayDeadline);
}
