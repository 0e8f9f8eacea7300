const plain: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", þ: "th", ø: "o", ł: "l", đ: "d", ð: "d", ı: "i" };

/**
 * A text as searches compare it: in lower case and without accents, so that "muller" finds "Müller" and "strasse" finds "Straße".
 * The SQL function `search_words` does the same to what is stored.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæœþøłđðı]/g, (letter) => plain[letter] ?? letter)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
