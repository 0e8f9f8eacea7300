import type { Actor } from "@/lib/auth/actor";
import { assertStillHasScope } from "@/lib/auth/membership";
import { type Db, db } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { connectAccount, disconnectAccount } from "@/lib/gateways/accounts";
import { ConnectProblem } from "@/lib/gateways/stripe/setup";
import { restoreAccount } from "@/lib/ledger/account-health";
import { importBalanceSoon } from "@/lib/ledger/balance-import";
import type { ConnectedAccount, GatewayAccount, GatewayAccountInput } from "./contract";
import { gatewayAccounts } from "./resource";

/**
 * Connects an account for the caller's mode, after trying the key at the gateway.
 * @throws ValidationError; ApiError gateway_busy, gateway_away; forbidden, unauthenticated if the caller was removed meanwhile
 */
export async function connectGatewayAccount(actor: Actor, input: GatewayAccountInput): Promise<ConnectedAccount> {
  const { businessId, livemode } = actor;
  const webhookSecret = input.webhook_secret ?? undefined;
  try {
    const account = { businessId, livemode, secretKey: input.secret_key.trim(), webhookSecret };
    const assertAllowed = (tx: Db) => assertStillHasScope(tx, actor, "gateway_accounts:write");
    const { id, callbacks } = await connectAccount({ ...account, assertAllowed });
    await restoreAccount(id);
    await importBalanceSoon(id);
    return { ...(await gatewayAccounts.get(db, actor, id)), callbacks };
  } catch (error) {
    if (!(error instanceof ConnectProblem)) throw error;
    if (error.about === "gateway") throw new ApiError("gateway_away", undefined, { "Retry-After": "10" });
    if (error.about === "account") throw new ApiError("gateway_busy");
    throw new ValidationError({ [error.about]: [error.message] });
  }
}

/** Takes an account out of use; the same again changes nothing. @throws ApiError not_found */
export async function disconnectGatewayAccount(actor: Actor, id: string): Promise<GatewayAccount> {
  const { status } = await gatewayAccounts.get(db, actor, id);
  if (status === "connected") await disconnectAccount(actor.businessId, actor.livemode, id);
  return gatewayAccounts.get(db, actor, id);
}
