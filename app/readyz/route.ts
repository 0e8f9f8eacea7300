import { pool } from "@/lib/core/db";

/** Readiness: 503 while the database does not answer. */
export async function GET(): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  try {
    await pool().query("SELECT 1");
    return Response.json({ status: "ok" }, { headers });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503, headers: { ...headers, "Retry-After": "1" } });
  }
}
