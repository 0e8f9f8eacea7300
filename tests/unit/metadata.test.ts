import fc from "fast-check";
import { expect, it } from "vitest";
import { maxKeyLength } from "@/lib/core/metadata-key";
import { metadata, metadataFilter, nameOfParameter, parametersOf } from "@/lib/http/metadata";

function isControl(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  return (code < 32 && letter !== "\t" && letter !== "\n" && letter !== "\r") || (code >= 127 && code < 160);
}

it("accepts exactly objects of at most 20 short keys with short texts, and returns them unchanged", () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("order_id", "__proto__", "constructor", "a.b-c", "", "k".repeat(41)),
  );
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("", "x".repeat(501), "📚".repeat(500), "a\tb\nc", "a\u0000b"),
    fc.anything(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.option(text))), (entries) => {
      const given = Object.fromEntries(entries);
      const isGood = Object.entries(given).every(
        ([name, value]) =>
          /^[\w.-]+$/.test(name) &&
          name !== "__proto__" &&
          name.length <= maxKeyLength &&
          (value === null || (typeof value === "string" && [...value].length <= 500 && ![...value].some(isControl))),
      );
      const kept = Object.values(given).filter((value) => value !== null && value !== "").length;
      const parsed = metadata.safeParse(given);
      expect(parsed.success).toBe(isGood && kept <= 20);
      if (parsed.success) expect(parsed.data).toEqual(given);
    }),
  );
});

it("reads the keys of metadata from a query, and nothing else", () => {
  expect(parametersOf(new URLSearchParams("status=Paid&metadata[order_id]=1001&metadata[shelf]=B-7"))).toEqual({
    status: "Paid",
    metadata: { order_id: "1001", shelf: "B-7" },
  });
  expect(parametersOf(new URLSearchParams("status[a]=Paid"))).toEqual({ "status[a]": "Paid" });
  expect(Object.keys(parametersOf(new URLSearchParams("metadata[__proto__]=x")).metadata as object)).toEqual([
    "__proto__",
  ]);
  expect(["metadata[a]", "metadata", "status[a]", "metadata[a][b]"].map(nameOfParameter)).toEqual([
    ...["metadata", "metadata", "status[a]", "metadata[a][b]"],
  ]);
  expect(metadataFilter.metadata.parse(undefined)).toBeNull();
  expect(metadataFilter.metadata.safeParse("1001").success).toBe(false);
});
