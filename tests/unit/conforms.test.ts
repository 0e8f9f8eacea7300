import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conforms } from "@/lib/http/conforms";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";

const endpoints = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);

/** Each value inside an object, with a function that makes the object with another value there. */
function places(value: unknown): { at: (other: unknown) => unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const put = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    return [{ at: put }, ...places(inner).map(({ at }) => ({ at: (other: unknown) => put(at(other)) }))];
  });
}

/** Values of every kind that a response may hold, and those that are almost one. */
const anything = fc.oneof(
  fc.constantFrom(null, undefined, true, 0, -0, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, "", "Paid", [], {}),
  fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 2 }),
);

/** A value that conforms must be what parsing makes of it: accepted, with the same fields in the same order. */
function expectSame(schema: z.ZodType, value: unknown): void {
  if (!conforms(schema, value)) return;
  const parsed = schema.parse(value);
  expect(parsed).toStrictEqual(value);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(value));
}

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, { response, example }) => {
    it("is accepted only as parsing would return it", () => {
      const mutable = places(example.data);
      fc.assert(
        fc.property(fc.nat(mutable.length - 1), anything, (index, value) =>
          expectSame(response, mutable[index]?.at(value)),
        ),
        { numRuns: 50 },
      );
      for (const name of Object.keys(example.data)) {
        const { [name]: value, ...others } = example.data;
        for (const changed of [others, { ...others, [name]: value }, { ...example.data, unknown: 1 }])
          expectSame(response, changed);
      }
    });
  },
);

it("accepts the resources of every list, and so saves the copy", () => {
  const copied = endpoints.filter(({ list, response, example }) => list && !conforms(response, example.data));
  expect(copied.map(({ path }) => path)).toEqual(["/events", "/audit-log"]);
});

it("refuses what it does not know", () => {
  const upper = z.string().transform((text) => text.toUpperCase());
  for (const schema of [upper, z.string().min(1), z.strictObject({}), z.optional(z.string())])
    expect(conforms(schema, "a")).toBe(false);
  expect(conforms(z.object({ a: z.string().min(1) }), { a: "a" })).toBe(false);
});
