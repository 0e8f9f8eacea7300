/** A space so thin that it is hardly seen, and yet one to every program that looks for addresses. */
const hair = "\u200a";
const isolate = "\u2068";
const endIsolate = "\u2069";

const lineEnds = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const invisible = /(?!\u200d)[\p{Cf}\p{Cc}\p{Co}\p{Cs}]|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
/** It joins emoji to one; anywhere else it hides something. */
const joiner =
  /(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const pile = /(\p{M}{4})\p{M}+/gu;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u;

/**
 * Programs that show mail make links of whatever looks like an address, and of what is only near one. So none is left: a hair
 * space after each colon, at sign and dot that could belong to one. Numbers ("10.50", "12:30") stay as they are.
 */
const unlinked = (text: string): string =>
  text.replace(/[:@](?=\S)|[.\u2024\u3002\uff0e\uff61](?=[\p{L}\p{M}\p{N}_])/gu, (sign, at: number) =>
    /\d/.test(text[at - 1] ?? "") && /\d/.test(text[at + 1] ?? "") ? sign : sign + hair,
  );

function line(words: string): string {
  const seen = unlinked(
    words
      .normalize("NFC")
      .replace(/\s+/gu, " ")
      .replace(invisible, "")
      .replace(joiner, "")
      .replace(pile, "$1")
      .replace(/\s+/gu, " ")
      .trim(),
  );
  return rightToLeft.test(seen) ? isolate + seen + endIsolate : seen;
}

/**
 * Somebody's words as they may stand in a mail: one line of text that is only text. Nothing in it becomes a link, hides, or
 * turns the direction of what is beside it.
 * @param most code points, after which it is cut
 */
export function untrusted(words: string, most = 200): string {
  const signs = [...words.replace(lineEnds, " ")];
  const cut = signs.length > most ? `${signs.slice(0, most).join("").trimEnd()}…` : signs.join("");
  return line(cut) || "–";
}

/** The same with its line ends, at most one empty line between two others. */
export function untrustedLines(words: string): string[] {
  const text = words.replace(lineEnds, "\n").split("\n").map(line).join("\n");
  return text
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}
