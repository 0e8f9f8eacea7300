import { jsonReply, routeHandler } from "@/lib/http/reply";

/** Liveness. It does not query the database, so that an outage does not restart the process. */
export const GET = routeHandler(() => jsonReply(200, { status: "ok" }));
