/** Liveness. It does not query the database, so that an outage does not restart the process. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
