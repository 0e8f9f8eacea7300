const sign = /^[=+\-@＝＋－＠]$/u;
const cover = /^[\s\p{C}"'＂＇]$/u;
const separator = /^[;\t\r\n]$/;

/**
 * Where a spreadsheet may take a text for a formula: at a sign that begins one, also its full-width form, also behind blanks,
 * quotes and signs that nobody sees; at the beginning of a text, and behind a semicolon, a tab or a line end, where a
 * spreadsheet that expects another separator begins a cell of its own. Once from the end to the beginning: what it costs
 * grows with the text alone.
 * @param letters a text by code points
 * @returns for each of them, and for the end, whether a sign is reached from it through covers alone
 */
function signReached(letters: string[]): boolean[] {
  const reached = new Array<boolean>(letters.length + 1).fill(false);
  for (let at = letters.length - 1; at >= 0; at--) {
    const letter = letters[at] ?? "";
    reached[at] = sign.test(letter) || (reached[at + 1] === true && cover.test(letter));
  }
  return reached;
}

const begins = (letters: string[], at: number): boolean => at === 0 || separator.test(letters[at - 1] ?? "");

/** A text as a cell: with an apostrophe before whatever a spreadsheet would run. */
export function disarmed(text: string): string {
  const letters = Array.from(text);
  const reached = signReached(letters);
  return letters.map((letter, at) => (reached[at] && begins(letters, at) ? `'${letter}` : letter)).join("");
}

/** The text of a cell that was written by `disarmed`: the very same. */
export function rearmed(cell: string): string {
  const letters = Array.from(cell);
  const reached = signReached(letters);
  return letters.filter((letter, at) => !(letter === "'" && reached[at + 1] && begins(letters, at))).join("");
}
