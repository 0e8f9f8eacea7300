/** Alive: the process answers. Says nothing of the database, so that a restart is not ordered for its absence. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
