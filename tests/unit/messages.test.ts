import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import en from "@/messages/en";
import { pickLanguage } from "@/messages/languages";
import { load } from "@/messages/load";
import { pseudo } from "@/messages/pseudo";

type Tree = { readonly [key: string]: string | Tree };

const flat = (tree: Tree, path = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

/** A message without its words: arguments, tags and plural forms in their order. */
function bones(elements: MessageFormatElement[]): unknown[] {
  return elements.flatMap((element): unknown[] => {
    if (element.type === TYPE.literal) return [];
    if (element.type === TYPE.tag) return [[element.value, bones(element.children)]];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [
        [
          element.value,
          Object.fromEntries(Object.entries(element.options).map(([name, { value }]) => [name, bones(value)])),
        ],
      ];
    return element.type === TYPE.pound ? ["#"] : [element.value];
  });
}

const english = flat(en);

describe("texts", () => {
  it("are messages that parse", () => {
    expect(english.length).toBeGreaterThan(100);
    for (const [key, text] of english) expect(() => parse(text), key).not.toThrow();
  });

  it("have no straight quotes (ICU escapes) and no stray spaces", () => {
    const odd = english.filter(([, text]) => /['"]|^\s|\s$|\s\s/.test(text) || text === "");
    expect(odd).toEqual([]);
  });

  it("keep their keys, arguments, tags and plural forms in the pseudo-language", () => {
    const accented = new Map(flat(pseudo(en)));
    expect([...accented.keys()]).toEqual(english.map(([key]) => key));
    for (const [key, text] of english) {
      const other = accented.get(key) ?? "";
      expect(bones(parse(other)), key).toEqual(bones(parse(text)));
      if (/[a-z]/i.test(text.replace(/\{[^{}]*\}|<[^>]*>/g, ""))) expect(other, key).not.toBe(text);
    }
  });

  it("are compiled for the browser, by key", async () => {
    const { shell } = await load("en");
    expect(shell.list.next).toBe("Next");
    expect(JSON.stringify(shell.list.filters)).not.toContain("plural");
    expect(await load("en")).toBe(await load("en"));
  });

  it.each([
    [undefined, null, "en"],
    [undefined, "de-AT,de;q=0.9", "en"],
    [undefined, "de, en-US;q=0.5", "en"],
    ["en", "de", "en"],
    ["en-XA", null, "en-XA"],
    [undefined, "en-XA", "en"],
    ["__proto__", "constructor", "en"],
  ])("of the choice %s and the wish %s are in %s", (chosen, wish, language) => {
    expect(pickLanguage(chosen, wish)).toBe(language);
  });
});
