const shared = globalThis as typeof globalThis & { paydeskRefused?: Set<string> };

/**
 * The ids of requests for a page that failed because the database is away or busy. The page's bundle adds an id
 * (instrumentation.ts), and the server removes it when it answers with 503 (server/framework.ts). The bundle and the server are
 * separate module graphs in one process, so the set is a global.
 */
export function refusedRequestIds(): Set<string> {
  shared.paydeskRefused ??= new Set();
  return shared.paydeskRefused;
}
