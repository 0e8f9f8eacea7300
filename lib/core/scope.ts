import { AsyncLocalStorage } from "node:async_hooks";

const scopes: Scope<unknown>[] = [];

/** Whether the caller runs in a scope: with a clock, an actor or a transaction of its own. */
export const inAnyScope = (): boolean => scopes.some((scope) => scope.get() !== undefined);

/**
 * A value that is seen by everything that `work` calls and awaits. Unlike a plain AsyncLocalStorage, it is switched off while
 * nothing runs in it: on Node 20, one that is on makes each promise of the process cost more (docs/performance.md).
 */
export class Scope<Value> {
  readonly #storage = new AsyncLocalStorage<Value>();
  #running = 0;

  constructor() {
    scopes.push(this);
  }

  get(): Value | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  run<T>(value: Value, work: () => T): T {
    return this.#during(() => this.#storage.run(value, work));
  }

  /** Runs `work` without a value. */
  exit<T>(work: () => T): T {
    return this.#running === 0 ? work() : this.#during(() => this.#storage.run(undefined as Value, work));
  }

  #during<T>(work: () => T): T {
    this.#running++;
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.#end();
      throw error;
    }
    if (!(result instanceof Promise)) {
      this.#end();
      return result;
    }
    return result.finally(() => this.#end()) as T;
  }

  #end(): void {
    this.#running--;
    if (this.#running === 0) this.#storage.disable();
  }
}
