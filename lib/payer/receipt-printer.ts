import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { bounded } from "@/lib/core/bounded";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import type { LogoFile } from "@/lib/resources/settings/brand";
import type { Receipt } from "./receipt";

/** A job of the thread (server/receipt-thread.ts), and its result. */
export interface Print {
  receipt: Receipt;
  logo: LogoFile | null;
}
export type Printed = { pdf: Uint8Array<ArrayBuffer> } | { error: string };

/** About 40 kB each. */
const maxKept = 100;
/** Loading the PDF library takes a second, and more on a busy machine. */
const timeoutMs = 30_000;
/** Then the thread ends: it takes as much memory as the rest of the server. */
const idleMs = 5 * 60_000;

const inTurn = bounded({ running: 1, waiting: 8 });
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * A receipt as a PDF. The same receipt is rendered once, in a thread of its own, and then kept.
 * @throws ApiError service_unavailable when too many others wait
 */
export function printReceipt(job: Print): Promise<Uint8Array<ArrayBuffer>> {
  const version = createHash("sha256").update(JSON.stringify(job.receipt)).digest("base64url"); // its brand names the logo
  const found = kept.get(version) ?? inTurn(() => printInThread(job));
  kept.delete(version);
  kept.set(version, found); // now the last to be dropped
  found.catch(() => kept.delete(version));
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(oldest);
  }
  return found;
}

async function printInThread(job: Print): Promise<Uint8Array<ArrayBuffer>> {
  clearTimeout(idle);
  const worker = thread ?? openThread();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    worker.postMessage(job);
    const [printed] = (await once(worker, "message", { signal: timeout })) as [Printed];
    if ("error" in printed) throw new Error(printed.error);
    return printed.pdf;
  } catch (error) {
    if (!timeout.aborted) throw error;
    await close(worker);
    log.warn("a receipt took too long to render");
    throw new ApiError("service_unavailable", undefined, { "Retry-After": "10" });
  } finally {
    idle = setTimeout(() => void close(worker), idleMs).unref();
  }
}

function openThread(): Worker {
  const file = join(process.cwd(), "dist/receipt-thread.mjs");
  const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
  // Next.js would look for the file of `new Worker` before the server is bundled.
  const opened: Worker = Reflect.construct(Worker, [file, { resourceLimits }]);
  opened.unref();
  opened.once("error", () => close(opened));
  thread = opened;
  return opened;
}

async function close(worker: Worker): Promise<void> {
  if (thread === worker) thread = undefined;
  await worker.terminate();
}
