import { inAnyScope } from "./scope";

/** Batches of one kind that may run at once. While they do, further calls collect. */
const maxRunning = 2;
const maxSize = 50;

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(reason: unknown): void;
}

/**
 * Lets simultaneous calls share one statement and one commit. A call starts at once unless two batches are running; then it
 * joins the next one. A call with a clock, an actor or a transaction of its own (lib/core/scope.ts) runs alone.
 * @param work returns one result per item; a failure must leave nothing written. After a failure, each item runs alone, so
 *   that one of them does not fail the others.
 */
export function batched<In, Out>(work: (items: In[]) => Promise<Out[]>): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function alone(item: In): Promise<Out> {
    const [out] = await work([item]);
    return out as Out;
  }

  async function run(batch: Waiting<In, Out>[]): Promise<void> {
    const results = await work(batch.map(({ item }) => item)).catch((error: unknown) => {
      const [only, ...others] = batch;
      if (others.length === 0) only?.reject(error);
      return null;
    });
    if (results) for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
    else if (batch.length > 1)
      await Promise.all(batch.map(({ item, resolve, reject }) => alone(item).then(resolve, reject)));
  }

  function start(): void {
    if (running === maxRunning || waiting.length === 0) return;
    const batch = waiting.slice(0, maxSize);
    waiting = waiting.slice(maxSize);
    running++;
    void run(batch).finally(() => {
      running--;
      start();
    });
  }

  return (item) => {
    if (inAnyScope()) return alone(item);
    return new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // After this turn of the event loop, whose other calls join.
      if (waiting.length === 1) setImmediate(start);
    });
  };
}
