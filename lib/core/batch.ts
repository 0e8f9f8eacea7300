import { inAnyScope } from "./scope";

/** Batches of one kind that may run at once. While they do, further calls collect. */
const maxRunningBatches = 2;
const maxItemsPerBatch = 50;
const maxParallelRetries = 4;

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(reason: unknown): void;
}

/** Batches that write the same rows in the same order do not deadlock. */
export const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/**
 * Lets simultaneous calls share one statement and one commit. A call starts at the end of this turn of the event loop unless two
 * batches are running; then it joins the next one. A call with a clock, an actor or a transaction of its own (lib/core/scope.ts)
 * runs alone.
 * @param work returns one result per item, in order. If it fails, each item runs again alone, so that one of them does not fail
 *   the others. So it must be safe to repeat, also after a commit whose reply was lost.
 */
export function batched<In, Out>(work: (items: In[]) => Promise<Out[]>): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function alone(item: In): Promise<Out> {
    const [out] = await work([item]);
    return out as Out;
  }

  /** @returns whether the batch has to be repeated one by one */
  async function run(batch: Waiting<In, Out>[]): Promise<boolean> {
    try {
      const results = await work(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("A batch must return one result per item.");
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
    } catch (error) {
      if (batch.length > 1) return true;
      batch[0]?.reject(error);
    }
    return false;
  }

  /** Few at once, because they need a connection each. */
  async function repeat(batch: Waiting<In, Out>[]): Promise<void> {
    for (let first = 0; first < batch.length; first += maxParallelRetries)
      await Promise.all(batch.slice(first, first + maxParallelRetries).map((one) => run([one])));
  }

  function start(): void {
    while (running < maxRunningBatches && waiting.length > 0) {
      const batch = waiting.splice(0, maxItemsPerBatch);
      running++;
      void run(batch).then((failed) => {
        running--;
        start();
        return failed ? repeat(batch) : undefined;
      });
    }
  }

  return (item) => {
    if (inAnyScope()) return alone(item);
    return new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Lets the other calls of this turn of the event loop join.
      if (running < maxRunningBatches) setImmediate(start);
    });
  };
}
