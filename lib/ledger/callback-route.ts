import { ApiError } from "@/lib/core/errors";
import { queryOf } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { ForgedCallback, type Gateway, isGatewayAway, KeyRefused } from "@/lib/gateways/gateway";
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
        if (!target) throw notSigned();
        const { gateway, businessId } = target;
        const body = new TextDecoder().decode(await readBody(request));
        try {
          const notice = await gateway.readCallback(body, request.headers);
          if (notice) await handleCallback(gateway, notice, businessId);
        } catch (error) {
          throw refusalOf(error);
        }
        return { status: 200, body: '{"received":true}' };
      }),
  });
}

const notSigned = () => new ApiError("bad_request", "The callback is not signed by the gateway.");

/** While the gateway cannot be asked, nothing can be looked up. With a 503, it sends the callback again later. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ForgedCallback) return notSigned();
  if (!isGatewayAway(error)) return error;
  if (!(error instanceof KeyRefused)) log.warn({ err: error }, "could not ask the gateway about a callback");
  return new ApiError("gateway_away", undefined, { "Retry-After": "10" });
}
