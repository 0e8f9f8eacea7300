import { formatMoney } from "@/lib/core/money";
import { listAccounts } from "@/lib/gateways/accounts";
import type { KnownCharge } from "@/lib/gateways/gateway";
import { inBatches, unknownOf } from "./compare";
import type { Comparison } from "./comparison";
import { gatewayFor } from "./gateways";

/**
 * Finds the charges that the gateways have and the ledger lacks, except those that staff have acknowledged. Does not ask the sandbox,
 * whose records are in our database.
 */
export async function addUnknownCharges(since: Date, found: Comparison): Promise<void> {
  for (const { id, business_id, livemode } of await listAccounts()) {
    try {
      const gateway = await gatewayFor({ business_id, livemode, gateway_account_id: id });
      if (!gateway) continue;
      for await (const charges of inBatches(gateway.chargesSince(since))) {
        const unknown = await unknownOf(id, charges);
        for (const charge of charges) {
          const lacking = unknown.find(({ key }) => key === charge.gatewayKey);
          if (lacking && lacking.stored !== "acknowledged") found.differences.push(`${id}: ${described(charge)}`);
        }
      }
    } catch (error) {
      await found.addFailure(`${id}: charges`, id, error);
    }
  }
}

function described({ ref, amountCents, currency, status, createdAt, ...of }: KnownCharge): string {
  const named = [of.linkId && `link ${of.linkId}`, of.subscriptionId && `subscription ${of.subscriptionId}`];
  const period = of.periodIndex === null ? null : `period ${of.periodIndex}`;
  const what = [...named, period, `payment ${of.gatewayKey}`].filter(Boolean).join(", ");
  const state = status === "succeeded" ? "charged" : "not decided";
  return `${ref} is not in the ledger: ${formatMoney(amountCents, currency)} ${state} at ${createdAt.toISOString()} for ${what}`;
}
