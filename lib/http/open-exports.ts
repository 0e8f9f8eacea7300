import type { Tenant } from "@/lib/auth/actor";
import { ApiError } from "@/lib/core/errors";

/** Of one business and mode, in one process: each export reads all its rows. */
const maxOpen = 2;
/** After this time, a file that is not read to its end counts as given up: its client may be gone before the first part is sent. */
const timeoutMs = 5 * 60_000;

const open = new Map<string, number>();

/**
 * Counts a file as open until it is read to its end or given up.
 * @param make makes the file
 * @throws ApiError too_many_attempts while the business has too many open files
 */
export async function openExport(
  { businessId, livemode }: Tenant,
  make: () => Promise<AsyncIterable<string>>,
): Promise<AsyncIterable<string>> {
  const key = `${businessId} ${livemode}`;
  const before = open.get(key) ?? 0;
  if (before >= maxOpen)
    throw new ApiError("too_many_attempts", `At most ${maxOpen} exports can run at once.`, { "Retry-After": "10" });
  open.set(key, before + 1);
  const timer = setTimeout(() => close(), timeoutMs).unref();
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    const left = (open.get(key) ?? 1) - 1;
    if (left > 0) open.set(key, left);
    else open.delete(key);
  };
  try {
    return closing(await make(), close);
  } catch (error) {
    close();
    throw error;
  }
}

function closing(file: AsyncIterable<string>, close: () => void): AsyncIterable<string> {
  const parts = file[Symbol.asyncIterator]();
  const iterator: AsyncIterator<string> = {
    next: async () => {
      const part = await parts.next().catch((error: unknown) => {
        close();
        throw error;
      });
      if (part.done) close();
      return part;
    },
    return: async () => {
      close();
      await parts.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
