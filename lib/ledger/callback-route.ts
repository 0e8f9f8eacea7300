import { ApiError } from "@/lib/core/errors";
import { type Incoming, queryOf } from "@/lib/core/incoming";
import { ForgedCallback, type Gateway, KeyRefused } from "@/lib/gateways/gateway";
import { readBody } from "@/lib/http/body";
import { methods, respond } from "@/lib/http/handle";
import { handleCallback } from "./callback";

/**
 * The route's exports for a gateway's callback URL. The signature authenticates the caller.
 * @param find the gateway and business of the account in the URL; null when the account does not exist
 */
export function callbackRoute(find: (account: string) => Promise<{ gateway: Gateway; businessId: number } | null>) {
  return methods({
    method: "POST",
    serve: (request) =>
      respond(request, async () => {
        const account = queryOf(request).get("account") ?? "";
        const target = await find(account);
        // Same error as for a bad signature, so that a caller cannot find out which accounts exist.
        if (!target) throw new ApiError("bad_request", "The callback is not signed by the gateway.");
        const body = new TextDecoder().decode(await readBody(request));
        const notice = await read(target.gateway, body, request.headers);
        if (notice) await handleCallback(target.gateway, notice, target.businessId).catch(postponeIfRefused);
        return { status: 200, body: '{"received":true}' };
      }),
  });
}

/** While the gateway refuses the account's key, nothing can be looked up. The gateway sends the callback again later. */
function postponeIfRefused(error: unknown): never {
  throw error instanceof KeyRefused ? new ApiError("gateway_away") : error;
}

async function read(gateway: Gateway, body: string, headers: Incoming["headers"]) {
  try {
    return await gateway.readCallback(body, headers);
  } catch (error) {
    if (error instanceof ForgedCallback) {
      throw new ApiError("bad_request", "The callback is not signed by the gateway.");
    }
    throw error;
  }
}
