import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { printAST } from "@formatjs/icu-messageformat-parser/printer.js";
import type { Catalogue } from "@/messages/en";
import { mapTexts } from "./map-texts";

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = "áƀçðéƒğħíĵķłɱñóþʠřšŧúṽŵẋýžÁɃÇÐÉƑĞĦÍĴĶŁⱮÑÓÞɊŘŠŦÚṼŴẊÝŽ";

/** With an accent on each letter from a to z. */
export const accent = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)] ?? letter);

export const isAccented = (text: string): boolean => [...accented].some((letter) => text.includes(letter));

/** Leaves out the names of arguments, tags and plural forms. */
function accentAll(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: accent(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: accentAll(element.children) };
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
    const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: accentAll(value) }]);
    return { ...element, options: Object.fromEntries(options) };
  });
}

/** Every text of a catalogue with accented letters. */
export function pseudo(catalogue: Catalogue): Catalogue {
  return mapTexts(catalogue, (text) => printAST(accentAll(parse(text)))) as Catalogue;
}
