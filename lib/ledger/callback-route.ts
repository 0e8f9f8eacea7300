import { ApiError } from "@/lib/core/errors";
import { ForgedCallback, type Gateway } from "@/lib/gateways/gateway";
import { readBody } from "@/lib/http/body";
import { methods, respond } from "@/lib/http/handle";
import { onCallback } from "./callback";

/**
 * The exports of the address at which a gateway calls back: its signature is its credential.
 * @param find the gateway of the account that the address names, and its business; null when there is none
 */
export function callbackRoute(find: (account: string) => Promise<{ gateway: Gateway; businessId: number } | null>) {
  return methods({
    method: "POST",
    serve: (request) =>
      respond(request, async () => {
        const account = new URL(request.url).searchParams.get("account") ?? "";
        const found = await find(account);
        // Nobody learns which accounts there are.
        if (!found) throw new ApiError("bad_request", "The callback is not signed by the gateway.");
        const body = new TextDecoder().decode(await readBody(request));
        const notice = await read(found.gateway, body, request.headers);
        if (notice) await onCallback(found.gateway, notice, found.businessId);
        return { status: 200, body: '{"received":true}' };
      }),
  });
}

async function read(gateway: Gateway, body: string, headers: Headers) {
  try {
    return await gateway.readCallback(body, headers);
  } catch (error) {
    if (error instanceof ForgedCallback) {
      throw new ApiError("bad_request", "The callback is not signed by the gateway.");
    }
    throw error;
  }
}
