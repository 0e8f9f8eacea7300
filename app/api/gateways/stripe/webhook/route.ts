import { isDatabaseAway } from "@/lib/api/errors";
import { findAccount } from "@/lib/gateways/accounts";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { isId } from "@/lib/id";
import { callbackRoute } from "@/lib/payments/callback-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = callbackRoute(async (account) => {
  if (!isId("gwa", account)) return null;
  const keys = await findAccount(account).catch((error: unknown) => {
    if (isDatabaseAway(error)) throw error; // the gateway is to try again
    return null;
  });
  return keys && { gateway: stripeGateway(keys), businessId: keys.businessId };
});
