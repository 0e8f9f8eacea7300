import { ApiError } from "@/lib/core/errors";
import type { Incoming } from "@/lib/core/incoming";
import { addressOf } from "@/lib/core/network";
import type { Actor } from "./actor";
import { actorOfKey } from "./keys";
import { actorOfSession } from "./session";

const bearer = /^Bearer +(\S+)$/i;

/**
 * The actor of a bearer key (merchant systems) or of the session cookie (the dashboard). A request with an Authorization
 * header is authenticated by that header alone.
 * @throws ApiError unauthenticated; address_not_allowed for a key; forbidden for a cross-site write with a cookie
 */
export async function authenticate(request: Incoming): Promise<Actor> {
  const header = request.headers.get("authorization");
  const key = header?.match(bearer)?.[1];
  const actor = key
    ? await actorOfKey(key, addressOf(request))
    : header === null
      ? await actorOfSession(request)
      : null;
  if (!actor) throw new ApiError("unauthenticated", undefined, { "WWW-Authenticate": "Bearer" });
  return actor;
}
