/** What is asked of a typeface. Widths are in `unitsPerEm`ths of the size. */
export interface Face {
  unitsPerEm: number;
  /** The code points that it has. */
  characterSet: readonly number[];
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): { advanceWidth: number };
}

export type Printable = {
  text: string;
  /** Whether something in it is not what was written. */
  lacking: boolean;
};

/** Stands for a sign that the typeface lacks: left to itself, the renderer would write some other letter in its place. */
export const standIn = "◊";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const unwritable = /[\p{Co}\p{Cs}\p{Cn}]/u;

/**
 * Somebody's words as the typeface can write them: a lozenge for each sign that it lacks, nothing that is invisible or turns
 * the direction of writing, no pile of accents. What comes out needs no shaping, and so cannot upset the renderer.
 * @param lines whether line ends stay; else it comes out as one line.
 */
export function printable(words: string, face: Face, lines = false): Printable {
  const has = (sign: string) => !unwritable.test(sign) && face.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
  let text = "";
  let lacking = false;
  for (const { segment } of graphemes.segment(words.normalize("NFC").replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n"))) {
    if (/^\s+$/.test(segment)) {
      text += segment.includes("\n") ? "\n" : " ";
      continue;
    }
    const [base, ...rest] = segment.replace(invisible, "");
    if (base === undefined) continue;
    if (has(base)) {
      text += base + rest.filter(has).slice(0, 2).join("");
    } else {
      text += standIn;
      lacking = true;
    }
  }
  text = lines ? text.replace(/ *\n */g, "\n").replace(/\n{3,}/g, "\n\n") : text.replace(/\n/g, " ");
  return { text: text.replace(/ {2,}/g, " ").trim() || "–", lacking };
}

/**
 * Breaks a text into lines that are no wider than their column, within a word where one is wider than a line. At most
 * `most` of them: the last one then ends with "…". Done here, since the renderer breaks such words with hyphens that are
 * not in them, and stumbles over a text that is longer than a page.
 */
export function setLines(
  text: string,
  face: Face,
  size: number,
  width: number,
  most: number,
): { lines: string[]; cut: boolean } {
  const advance = (sign: string) =>
    (face.glyphForCodePoint(sign.codePointAt(0) ?? 0).advanceWidth / face.unitsPerEm) * size;
  const widthOf = (words: string) => [...words].reduce((sum, sign) => sum + advance(sign), 0);
  const room = width * 0.99; // a hundredth to spare, for what kerning may add
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    let used = 0;
    const end = () => {
      lines.push(line);
      line = "";
      used = 0;
    };
    for (const word of paragraph.split(" ")) {
      if (lines.length > most) break;
      const blank = line === "" ? "" : " ";
      const needed = widthOf(blank + word);
      if (used + needed <= room) {
        line += blank + word;
        used += needed;
        continue;
      }
      if (line !== "") end();
      for (const sign of word) {
        const one = advance(sign);
        if (used + one > room && line !== "") end();
        line += sign;
        used += one;
      }
    }
    end();
  }
  if (lines.length <= most) return { lines, cut: false };
  let last = lines[most - 1] ?? "";
  while (last !== "" && widthOf(`${last}…`) > room) last = [...last].slice(0, -1).join("");
  return { lines: [...lines.slice(0, most - 1), `${last.trimEnd()}…`], cut: true };
}
