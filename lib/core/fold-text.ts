const plain: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th" },
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ħ: "h", ŧ: "t" },
  ς: "σ",
};

/**
 * A text as searches compare it: in lower case and without accents, so that "muller" finds "Müller" and "strasse" finds "Straße".
 * The SQL function `search_words` does the same to what is stored.
 */
export const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[ßæœþøłđðıħŧς]/g, (letter) => plain[letter] ?? letter)
    .replace(/[\u0300-\u036f\ufe00-\ufe0f]/g, "")
    .normalize("NFC");

/**
 * What separates words, in every script. A list, because JavaScript and the locales of PostgreSQL differ in what a letter is.
 * `search_words` has the same.
 */
const separators =
  /[\t-\r -/:-@[-`{-¿×÷\u05be\u060c\u061b\u061f\u06d4\u0964\u0965\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufffd\u{1f000}-\u{1faff}]+/u;

/** The words of a folded text. Signs alone are no word. */
export const wordsOf = (folded: string): string[] =>
  folded.split(separators).filter((word) => /[\p{L}\p{N}]/u.test(word));
