import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conforms } from "@/lib/http/conforms";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";

const endpoints = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);

/** For each value inside an object or array: a function that copies the whole with another value in that place. */
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
    it("conforms only where parsing returns an equal value", () => {
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

it("accepts each list's example, except where a field may hold any JSON", () => {
  const copied = endpoints.filter(({ list, response, example }) => list && !conforms(response, example.data));
  expect(copied.map(({ path }) => path)).toEqual(["/events", "/audit-log"]);
});

it.each([
  ["a check", z.string().min(1), "a"],
  ["a format of a text", z.email(), "ada@example.com"],
  ["a format of a number", z.int32(), 1],
  ["a transformation", z.string().transform((text) => text.toUpperCase()), "A"],
  ["an optional value", z.optional(z.string()), "a"],
  ["a strict object", z.strictObject({}), {}],
  ["a check within", z.object({ a: z.array(z.string().min(1)) }), { a: ["a"] }],
])("does not know %s", (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(true);
  expect(conforms(schema, value)).toBe(false);
});

it("knows the values of an enum and of a literal", () => {
  enum Level {
    Low = 1,
  }
  for (const [schema, value, other] of [
    [z.enum(["Active", "Paid"]), "Paid", "paid"],
    [z.literal(["card", null]), null, "transfer"],
    [z.enum(Level), 1, "Low"], // TypeScript's enum object also maps 1 to "Low"
  ] as const) {
    expect([conforms(schema, value), conforms(schema, other)]).toEqual([true, false]);
    expect([schema.safeParse(value).success, schema.safeParse(other).success]).toEqual([true, false]);
  }
});

it("refuses a hole in an array, which zod refuses", () => {
  const holes = new Array<string>(2);
  expect(z.array(z.string()).safeParse(holes).success).toBe(false);
  expect(conforms(z.array(z.string()), holes)).toBe(false);
});

it("returns false for nested values of a schema that contains itself", () => {
  const tree = z.object({
    get children() {
      return z.array(tree);
    },
  });
  expect(conforms(tree, { children: [{ children: [] }] })).toBe(false);
});
