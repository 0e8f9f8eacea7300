import { isStuck } from "@/lib/core/db";
import { jsonReply, routeHandler } from "@/lib/http/reply";

/** Liveness. 503 asks for a restart: the process's connections are stuck. An outage of the database is a 200. */
export const GET = routeHandler(async () =>
  (await isStuck()) ? jsonReply(503, { status: "stuck" }) : jsonReply(200, { status: "ok" }),
);
