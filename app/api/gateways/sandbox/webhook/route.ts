import { sandbox } from "@/lib/gateways/sandbox/driver";
import { callbackRoute } from "@/lib/ledger/callback-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = callbackRoute(async (account) =>
  /^[1-9]\d{0,9}$/.test(account) ? { gateway: sandbox(account), businessId: Number(account) } : null,
);
