/** Almost invisible, but mail programs treat it as a space and find no address across it. */
const hair = "\u200a";
const isolate = "\u2068";
const endIsolate = "\u2069";

const lineEnds = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const invisible = /(?!\u200d)[\p{Cf}\p{Cc}\p{Co}\p{Cs}]|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
/** A zero-width joiner outside an emoji sequence. There it only hides text. */
const joiner =
  /(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const pile = /(\p{M}{4})\p{M}+/gu;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u;

/**
 * Prevents mail programs from making links: adds a hair space after each colon, at sign and dot that could belong to an
 * address. Numbers ("10.50", "12:30") stay unchanged.
 */
const withoutLinks = (text: string): string =>
  text.replace(/[:@](?=\S)|[.\u2024\u3002\uff0e\uff61](?=[\p{L}\p{M}\p{N}_])/gu, (sign, at: number) =>
    /\d/.test(text[at - 1] ?? "") && /\d/.test(text[at + 1] ?? "") ? sign : sign + hair,
  );

function line(words: string): string {
  const clean = withoutLinks(
    words
      .normalize("NFC")
      .replace(/\s+/gu, " ")
      .replace(invisible, "")
      .replace(joiner, "")
      .replace(pile, "$1")
      .replace(/\s+/gu, " ")
      .trim(),
  );
  return rightToLeft.test(clean) ? isolate + clean + endIsolate : clean;
}

/**
 * Makes text from users safe for a mail: one line, without links, hidden characters or effects on the text direction
 * around it.
 * @param maxLength code points, after which it is cut
 */
export function untrusted(words: string, maxLength = 200): string {
  const signs = [...words.replace(lineEnds, " ")];
  const cut = signs.length > maxLength ? `${signs.slice(0, maxLength).join("").trimEnd()}…` : signs.join("");
  return line(cut) || "–";
}

/** Like `untrusted`, but keeps line ends, with at most one empty line in a row. */
export function untrustedLines(words: string): string[] {
  const text = words.replace(lineEnds, "\n").split("\n").map(line).join("\n");
  return text
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}
