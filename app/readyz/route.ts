import { pool } from "@/lib/core/db";
import { jsonReply, routeHandler } from "@/lib/http/reply";

/** Readiness: 503 while the database does not answer. */
export const GET = routeHandler(async () => {
  try {
    await pool().query("SELECT 1");
    return jsonReply(200, { status: "ok" });
  } catch {
    return jsonReply(503, { status: "unavailable" }, { "Retry-After": "1" });
  }
});
