import type { Node } from "typescript/unstable/ast";
import type { Prisma } from "@/lib/core/db";

/** A parameter in a fragment's text. Its number depends on the statement around it. */
export const parameter = "\0";

/** SQL known without running the program. */
export class Fragment {
  constructor(readonly text: string) {}

  static of(sql: Prisma.Sql): Fragment {
    return new Fragment(sql.strings.join(parameter));
  }

  /** The statement as PostgreSQL gets it. */
  get statement(): string {
    let count = 0;
    return this.text.replaceAll(parameter, () => `$${++count}`);
  }
}

/** A value only known at run time. */
export const runtime = Symbol("runtime");

export class Items {
  constructor(readonly all: Lazy[]) {}
}

export class Fields {
  constructor(
    readonly names: () => string[],
    readonly get: (name: string) => Value,
  ) {}
}

export class Callable {
  constructor(readonly apply: (args: Lazy[]) => Value) {}
}

export type Value =
  | Fragment
  | Items
  | Fields
  | Callable
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof runtime;

/** Evaluated on use. */
export type Lazy = () => Value;

export const atRuntime: Lazy = () => runtime;

/** A statement depends on a value that is only known at run time. */
export class Unresolved extends Error {
  constructor(node: Node) {
    super(node.getText().replace(/\s+/g, " ").slice(0, 100));
  }
}

/** The program throws before it reaches the statement. */
export class DeadPath extends Error {}

export function property(of: Value, name: string): Value {
  if (of instanceof Fields) return of.get(name);
  return of instanceof Items && /^\d+$/.test(name) ? of.all[Number(name)]?.() : runtime;
}

/** Object.entries, Object.keys and Object.values. */
export function entriesOf(of: Value, name: string): Value {
  if (!(of instanceof Fields)) return runtime;
  return new Items(
    of.names().map((key): Lazy => {
      if (name === "Object.keys") return () => key;
      if (name === "Object.values") return () => of.get(key);
      return () => new Items([() => key, () => of.get(key)]);
    }),
  );
}

export function callArrayMethod(of: Value, method: string, argument: Value): Value {
  const items = of instanceof Items ? of.all : [atRuntime];
  if (method === "join") {
    const texts = items.map((item) => item());
    return texts.every((text) => typeof text === "string") ? texts.join(String(argument ?? ",")) : runtime;
  }
  if (!(argument instanceof Callable)) return runtime;
  if (method === "filter") return new Items(items.filter((item) => argument.apply([item]) !== false));
  const mapped = items.map(
    (item): Lazy =>
      () =>
        argument.apply([item]),
  );
  if (method === "map") return new Items(mapped);
  return new Items(
    mapped.flatMap((one) => {
      const many = one();
      return many instanceof Items ? many.all : [one];
    }),
  );
}
