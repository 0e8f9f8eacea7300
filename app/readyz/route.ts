import { pool } from "@/lib/core/db";

/** Ready: the database answers. 503 tells a load balancer to send requests elsewhere. */
export async function GET(): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  try {
    await pool().query("SELECT 1");
    return Response.json({ status: "ok" }, { headers });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503, headers: { ...headers, "Retry-After": "1" } });
  }
}
