import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/core/errors";
import { parseJsonObject } from "@/lib/http/json";

const parse = (text: string) => parseJsonObject(new TextEncoder().encode(text));

describe("parseJsonObject", () => {
  it("parses every object that JSON.stringify writes, up to the depth limit", () => {
    const key = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
    const value = fc.jsonValue({ maxDepth: 8, stringUnit: "grapheme" });
    fc.assert(
      fc.property(fc.dictionary(key, value), (object) => {
        const text = JSON.stringify(object);
        fc.pre(!text.includes("\\u0000"));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses a duplicate key, in any spelling and at any depth", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", minLength: 1 }), fc.nat(6), (key, depth) => {
        const escaped = [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
        const inner = `{${JSON.stringify(key)} : 1,"${escaped}":2}`;
        expect(() => parse(`${'{"a":['.repeat(depth)}${inner}${"]}".repeat(depth)}`)).toThrow(ApiError);
      }),
    );
  });

  it("distinguishes keys of different objects, and strings that look like keys", () => {
    expect(parse('{"a":{"b":1},"c":{"b":2},"d":["b","b",":"],"e":"{\\"e\\":1}"}')).toHaveProperty("e", '{"e":1}');
  });

  it.each(["", "[]", "null", "1", '"a"', "{", '{"a":"\\u0000"}', '{"\\ud800":1}', "\ufeff{}", '{"a":1}{}'])(
    "refuses %j",
    (text) => expect(() => parse(text)).toThrow("The request body is not valid JSON."),
  );

  it("refuses bytes that are not UTF-8, and nesting deeper than 32", () => {
    expect(() => parseJsonObject(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(ApiError);
    const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(parse(nested(32))).toHaveProperty("a");
    expect(() => parse(nested(33))).toThrow(ApiError);
    expect(() => parse(nested(10_000))).toThrow(ApiError);
  });
});
