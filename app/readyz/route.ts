import { isDatabaseReady } from "@/lib/core/db";
import { jsonReply, routeHandler } from "@/lib/http/reply";

/** Readiness: 503 while the database does not answer, or requests wait for it for too long. */
export const GET = routeHandler(async () =>
  (await isDatabaseReady())
    ? jsonReply(200, { status: "ok" })
    : jsonReply(503, { status: "unavailable" }, { "Retry-After": "1" }),
);
