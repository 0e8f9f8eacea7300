import pLimit from "p-limit";
import { ApiError } from "./errors";

/**
 * Runs expensive work, at most `running` at once, while at most `waiting` more wait for their turn. Each process counts its own.
 * @throws ApiError service_unavailable, with Retry-After, when the queue is full
 */
export function bounded({ running, waiting }: { running: number; waiting: number }) {
  const limit = pLimit(running);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= running + waiting)
      throw new ApiError("service_unavailable", undefined, { "Retry-After": "2" });
    return limit(work);
  };
}
