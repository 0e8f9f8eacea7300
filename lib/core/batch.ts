import { inAnyScope } from "./scope";

/** Batches of one kind that may run at once. While they do, further calls collect. */
const maxRunning = 2;
const maxSize = 50;
const maxRepeated = 4;

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(reason: unknown): void;
}

/** Batches that write the same rows in the same order do not deadlock. */
export const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

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

  /** @returns whether the batch has to be repeated one by one */
  async function run(batch: Waiting<In, Out>[]): Promise<boolean> {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
    } catch (error) {
      if (batch.length > 1) return true;
      batch[0]?.reject(error);
    }
    return false;
  }

  /** Few at once, because they need a connection each. */
  async function repeat(batch: Waiting<In, Out>[]): Promise<void> {
    for (let first = 0; first < batch.length; first += maxRepeated) {
      const few = batch.slice(first, first + maxRepeated);
      await Promise.all(few.map(({ item, resolve, reject }) => alone(item).then(resolve, reject)));
    }
  }

  function start(): void {
    while (running < maxRunning && waiting.length > 0) {
      const batch = waiting.slice(0, maxSize);
      waiting = waiting.slice(maxSize);
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
      // After this turn of the event loop, whose other calls join.
      if (running < maxRunning) setImmediate(start);
    });
  };
}
