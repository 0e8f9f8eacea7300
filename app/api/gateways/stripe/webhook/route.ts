import { findAccount } from "@/lib/gateways/accounts";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { isId } from "@/lib/id";
import { callbackRoute } from "@/lib/payments/callback-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = callbackRoute(async (account) => {
  const keys = isId("gwa", account) ? await findAccount(account) : null;
  return keys && { gateway: stripeGateway(keys), businessId: keys.businessId };
});
