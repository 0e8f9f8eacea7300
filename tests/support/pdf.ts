import { inflateSync } from "node:zlib";

/** Parses the PDFs that we write: objects, text and metadata. Not a general PDF reader. */
export interface Pdf {
  /** Every object's source, with its stream decompressed. */
  objects: Map<number, string>;
  /** The pages' text, in drawing order. */
  text: string;
  /** Metadata: title, author. */
  info: Record<string, string>;
}

export function readPdf(bytes: Uint8Array): Pdf {
  const raw = Buffer.from(bytes).toString("latin1");
  const objects = new Map<number, string>();
  for (const [, number, body = ""] of raw.matchAll(/(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj(?=\n)/g))
    objects.set(Number(number), unpacked(body));
  const all = [...objects.values()];
  const text = all.filter((object) => /\/Type \/Page\n/.test(object)).map((page) => textOf(page, objects));
  const info: Record<string, string> = {};
  const trailer = /\/Info (\d+) 0 R/.exec(raw);
  for (const [, name = "", at] of (objects.get(Number(trailer?.[1])) ?? "").matchAll(/\/(\w+) (\d+) 0 R/g))
    info[name] = stringOf((objects.get(Number(at)) ?? "").slice(1, -1));
  return { objects, text: text.join("\n"), info };
}

function unpacked(object: string): string {
  const [, head = "", data] = /^([\s\S]*?)\nstream\n([\s\S]*)\nendstream$/.exec(object) ?? [];
  if (data === undefined) return object;
  const content = Buffer.from(data, "latin1");
  return `${head}\n${(head.includes("/FlateDecode") ? inflateSync(content) : content).toString("latin1")}`;
}

/** A literal string: escaped bytes, or UTF-16 after a byte order mark. */
function stringOf(words: string): string {
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
  const plain = words.replace(/\\([\s\S])/g, (_, sign: string) => escapes[sign] ?? sign);
  if (!plain.startsWith("\xfe\xff")) return plain;
  return Buffer.from(plain.slice(2), "latin1").swap16().toString("utf16le");
}

const hex = (digits: string): string => Buffer.from(digits, "hex").swap16().toString("utf16le");

function textOf(page: string, objects: Map<number, string>): string {
  const reference = (text: string, name: string) => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1]);
  const resources = objects.get(reference(page, "Resources")) ?? page;
  const fonts = new Map<string, Map<number, string>>();
  for (const [, name = "", font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name, signsOf(objects.get(reference(objects.get(Number(font)) ?? "", "ToUnicode")) ?? ""));
  const content = objects.get(reference(page, "Contents")) ?? "";
  let signs = new Map<number, string>();
  let text = "";
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font) signs = fonts.get(font) ?? new Map();
    for (const [, run = ""] of (shown ?? "").matchAll(/<([0-9a-f]*)>/gi))
      for (const code of run.match(/.{4}/g) ?? []) text += signs.get(Number.parseInt(code, 16)) ?? "\u{fffd}";
    if (shown) text += "\n";
  }
  return text;
}

/** The characters by code, from a font's ToUnicode table. */
function signsOf(table: string): Map<number, string> {
  const signs = new Map<number, string>();
  for (const [, from = "", list = ""] of table.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    for (const [index, [, digits = ""]] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries())
      signs.set(Number.parseInt(from, 16) + index, hex(digits.replace(/ /g, "")));
  return signs;
}
