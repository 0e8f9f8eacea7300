/** A loaded font. Widths are in units of 1/`unitsPerEm` of the font size. */
export interface Face {
  unitsPerEm: number;
  characterSet: readonly number[];
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): { advanceWidth: number };
}

export type Printable = {
  text: string;
  incomplete: boolean;
};

/** Replaces characters that the font lacks. Without it the PDF library prints some other letter. */
export const replacementSign = "◊";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const unwritable = /[\p{Co}\p{Cs}\p{Cn}]/u;

/**
 * Makes text from users printable in the font: replaces missing characters, removes invisible and bidirectional
 * controls, limits combining marks. The result needs no text shaping, which the PDF library cannot do.
 * @param lines keeps line ends; else the result is one line
 */
export function printable(words: string, face: Face, lines = false): Printable {
  const has = (sign: string) => !unwritable.test(sign) && face.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
  let text = "";
  let incomplete = false;
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
      text += replacementSign;
      incomplete = true;
    }
  }
  text = lines ? text.replace(/ *\n */g, "\n").replace(/\n{3,}/g, "\n\n") : text.replace(/\n/g, " ");
  return { text: text.replace(/ {2,}/g, " ").trim() || "–", incomplete };
}

/**
 * Breaks a text into lines of at most `width`, inside a word if it is wider than a line. Cuts after `maxLines` with
 * "…". The PDF library would insert hyphens into long words, and fails on a text longer than a page.
 */
export function setLines(
  text: string,
  face: Face,
  size: number,
  width: number,
  maxLines: number,
): { lines: string[]; cut: boolean } {
  const advance = (sign: string) =>
    (face.glyphForCodePoint(sign.codePointAt(0) ?? 0).advanceWidth / face.unitsPerEm) * size;
  const widthOf = (words: string) => [...words].reduce((sum, sign) => sum + advance(sign), 0);
  const available = width * 0.99; // 1 % margin for kerning
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
      if (lines.length > maxLines) break;
      const blank = line === "" ? "" : " ";
      const needed = widthOf(blank + word);
      if (used + needed <= available) {
        line += blank + word;
        used += needed;
        continue;
      }
      if (line !== "") end();
      for (const sign of word) {
        const one = advance(sign);
        if (used + one > available && line !== "") end();
        line += sign;
        used += one;
      }
    }
    end();
  }
  if (lines.length <= maxLines) return { lines, cut: false };
  let last = lines[maxLines - 1] ?? "";
  while (last !== "" && widthOf(`${last}…`) > available) last = [...last].slice(0, -1).join("");
  return { lines: [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`], cut: true };
}
