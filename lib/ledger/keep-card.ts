import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import type { Db } from "@/lib/core/db";
import { englishTexts } from "@/lib/core/price-words";
import type { SavedCard } from "@/lib/gateways/gateway";
import { record } from "@/lib/outbox/record";
import { findCardless, tokenizationFor } from "@/lib/periods/cardless";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { eventTokenization, newTokenization, tokenizations } from "@/lib/resources/tokenizations/resource";
import { activate } from "./save-card";

/**
 * Saves the card with which the payer paid a period, as the payer agreed on the pay page. Does nothing if the payer already has
 * a usable card, or the subscription ends.
 */
export async function keepCard(tx: Db, tenant: Tenant, payment: PaymentOfLink, saved: SavedCard): Promise<void> {
  // The payer is not shown the title and the description.
  const cardless = await findCardless(tx, payment.payment_link_id, clock.now(), englishTexts);
  if (!cardless) return;
  const { gateway, gateway_account_id: accountId } = await tx.payment.findUniqueOrThrow({
    where: { id: payment._id },
    select: { gateway: true, gateway_account_id: true },
  });
  const created = await tokenizations.insert(tx, newTokenization(tenant, tokenizationFor(cardless)));
  await record(tx, tenant, [{ type: "tokenization.created", data: eventTokenization(created) }]);
  await activate(tx, { id: created._id }, { gateway, accountId }, saved);
}
