import type { z } from "zod";
import { loadWhenIdle } from "./idle";

const load = Symbol("load");

type Late<S> = { [load]: () => Promise<S> };

/**
 * Stands for a schema of a contract in the browser until `schemaOf` loads it. The build writes it
 * (lib/resources/contract-loader.mjs). Its script loads soon after the page, so that the page goes on working after an upgrade.
 */
export function lateSchema<M, S extends z.ZodType>(script: () => Promise<M>, pick: (module: M) => S): S {
  loadWhenIdle(script);
  return new Proxy<Late<S>>(
    { [load]: () => script().then(pick) },
    {
      get(target, name) {
        if (name === load) return target[load];
        throw new Error(`A schema of the browser has no ${String(name)}: load it with schemaOf`);
      },
    },
  ) as unknown as S;
}

const isLate = <S extends z.ZodType>(schema: S | Late<S>): schema is Late<S> => load in schema;

/** Loads a schema that the page was built without. Every other schema is returned as it is. */
export const schemaOf = async <S extends z.ZodType>(schema: S): Promise<S> =>
  isLate<S>(schema as S | Late<S>) ? (schema as unknown as Late<S>)[load]() : schema;
