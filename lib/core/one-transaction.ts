import { Pool, type PoolClient } from "pg";

/** The statements with which our code and Prisma's client begin and end a transaction. */
const boundaries = ["BEGIN", "COMMIT", "ROLLBACK"];

/**
 * A pool of the one connection that a transaction holds. A transaction that begins on it becomes a savepoint; the owner of the
 * outer transaction commits. Savepoints may nest or follow each other, but two concurrent ones would mix.
 */
export class OneTransaction extends Pool {
  readonly #client: PoolClient;
  #depth = 0;

  constructor(held: PoolClient) {
    super();
    const query = (...args: unknown[]): unknown => {
      const [statement] = args as [string | { text?: string }];
      const text = typeof statement === "string" ? statement : (statement.text ?? "");
      const sent = boundaries.includes(text) ? [this.#savepoint(text)] : args;
      return Reflect.apply(held.query, held, sent);
    };
    this.#client = new Proxy(held, {
      get(target, name) {
        if (name === "query") return query;
        if (name === "release") return () => undefined;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    this.connect = (async () => this.#client) as Pool["connect"];
    this.query = this.#client.query as unknown as Pool["query"];
  }

  #savepoint(boundary: string): string {
    if (boundary === "BEGIN") return `SAVEPOINT nested_${++this.#depth}`;
    const name = `nested_${this.#depth--}`;
    return `${boundary === "ROLLBACK" ? `ROLLBACK TO SAVEPOINT ${name}; ` : ""}RELEASE SAVEPOINT ${name}`;
  }
}
