import { isId } from "@/lib/core/id";
import { findAccount } from "@/lib/gateways/accounts";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { callbackRoute } from "@/lib/ledger/callback-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = callbackRoute(async (account) => {
  const keys = isId("gwa", account) ? await findAccount(account) : null;
  return keys && { gateway: stripeGateway(keys), businessId: keys.businessId };
});
