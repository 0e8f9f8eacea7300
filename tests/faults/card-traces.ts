import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A pattern of a card number in groups with separators. */
function grouped(number: string, between: string): string {
  const groups = number.length === 15 ? /^(.{4})(.{6})(.*)$/ : /^(.{4})(.{4})(.{4})(.*)$/;
  return (groups.exec(number) ?? []).slice(1).join(between);
}

/** Base64 of a text at any offset: the part that does not depend on its neighbours. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString("base64");
    const whole = encoded.replace(/=+$/, "");
    return whole.slice([0, 2, 3][before], encoded.endsWith("=") ? -1 : undefined);
  });
}

/**
 * The first twelve digits in every usual spelling, and hashes of the whole number. At most six of these digits may be
 * stored beside the last four. Hashes count as the number, because all numbers can be tried.
 */
function spellings(number: string): string[] {
  const start = number.slice(0, 12);
  const bytes = Buffer.from(start);
  const wide = Buffer.from(start, "utf16le").toString("latin1");
  const separated = [" ", "-", "+", "%20", "."].map((between) =>
    grouped(number, between).slice(0, 13 + between.length),
  );
  const hashes = ["md5", "sha1", "sha256"].flatMap((name) => {
    const hash = createHash(name).update(number);
    return [hash.copy().digest("hex"), hash.digest("base64").slice(0, 20)];
  });
  return [start, ...separated, ...inBase64(start), bytes.toString("hex"), wide, ...hashes];
}

/** Finds card numbers and security codes in stored bytes. */
export class CardTraces {
  readonly #numbers: RegExp;
  readonly #codes: RegExp;

  /**
   * @param codes four-digit codes, found only as separate words: not inside a longer number, an id or a fraction of a
   * second
   */
  constructor(numbers: readonly string[], codes: readonly string[]) {
    const needles = new Set(numbers.flatMap(spellings));
    this.#numbers = new RegExp([...needles].map((needle) => needle.replace(/[.+/]/g, "\\$&")).join("|"), "g");
    this.#codes = standingAlone(codes);
  }

  /** The spellings found in these bytes, without duplicates. */
  in(bytes: Buffer): string[] {
    const text = bytes.toString("latin1");
    const found = [...text.matchAll(this.#numbers), ...text.matchAll(this.#codes)];
    return [...new Set(found.map(([what]) => what))];
  }
}

const standingAlone = (codes: readonly string[]) =>
  new RegExp(`(?<![0-9A-Za-z.]|[0-9a-f]-)(?:${codes.join("|")})(?![0-9A-Za-z]|\\.\\d|-[0-9a-f])`, "g");

/** Four-digit codes that no file contains yet, so that a later match proves a leak. */
export function unusedCodes(folders: string[], candidates: string[], count: number): string[] {
  const found = new Set<string>();
  const pattern = standingAlone(candidates);
  for (const [, bytes] of filesBelow(folders))
    for (const [code] of bytes.toString("latin1").matchAll(pattern)) found.add(code);
  return candidates.filter((code) => !found.has(code)).slice(0, count);
}

/** Every file below these folders. Skips files deleted meanwhile. */
export function* filesBelow(folders: string[]): Generator<[path: string, bytes: Buffer]> {
  for (const folder of new Set(folders))
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      try {
        yield [path, readFileSync(path)];
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
}
