import type { z } from "zod";

const load = Symbol("load");

type Late<S> = { [load]: () => Promise<S> };

/**
 * Stands for a schema of a contract in the browser until `schemaOf` loads it. The build writes it
 * (lib/resources/contract-loader.mjs).
 */
export const lateSchema = <S extends z.ZodType>(loader: () => Promise<S>): S =>
  new Proxy<Late<S>>(
    { [load]: loader },
    {
      get(target, name) {
        if (name === load) return target[load];
        throw new Error(`A schema of the browser has no ${String(name)}: load it with schemaOf`);
      },
    },
  ) as unknown as S;

const isLate = <S extends z.ZodType>(schema: S | Late<S>): schema is Late<S> => load in schema;

/** Loads a schema that the page was built without. Every other schema is returned as it is. */
export const schemaOf = async <S extends z.ZodType>(schema: S): Promise<S> =>
  isLate<S>(schema as S | Late<S>) ? (schema as unknown as Late<S>)[load]() : schema;
