const sign = /^[=+\-@＝＋－＠]$/u;
const cover = /^[\s\p{C}"'＂＇]$/u;
const separator = /^[;\t\r\n]$/;

/**
 * Finds where a spreadsheet may read a formula: at a sign such as `=`, also full-width, also after blanks, quotes and invisible
 * characters. Scans from the end, so that the cost is linear.
 * @param letters the text's code points
 * @returns for each code point, and for the end, whether only covers are between it and a sign
 */
function signReached(letters: string[]): boolean[] {
  const reached = new Array<boolean>(letters.length + 1).fill(false);
  for (let at = letters.length - 1; at >= 0; at--) {
    const letter = letters[at] ?? "";
    reached[at] = sign.test(letter) || (reached[at + 1] === true && cover.test(letter));
  }
  return reached;
}

/** A semicolon, tab or line end begins a cell in spreadsheets that expect another separator. */
const begins = (letters: string[], at: number): boolean => at === 0 || separator.test(letters[at - 1] ?? "");

/** Puts an apostrophe before everything that a spreadsheet would run as a formula. */
export function disarmed(text: string): string {
  const letters = Array.from(text);
  const reached = signReached(letters);
  return letters.map((letter, at) => (reached[at] && begins(letters, at) ? `'${letter}` : letter)).join("");
}

/** A value as a file's cell: an object as JSON, and no formula. */
export function cellOf(value: unknown): unknown {
  if (typeof value === "string") return disarmed(value);
  // A spreadsheet that separates cells by semicolons also finds formulas in the texts of JSON.
  return typeof value === "object" && value !== null ? disarmed(JSON.stringify(value)) : value;
}

/** The cell of a column. "card.brand" is a field within a field, headed "card_brand". */
export const cellAt = (row: object, column: string): unknown =>
  cellOf(column.split(".").reduce<unknown>((of, field) => (of as Record<string, unknown> | null)?.[field], row));

export const headingOf = (columns: readonly string[]): string =>
  columns.map((name) => name.replace(".", "_")).join(",");

export function rearmed(cell: string): string {
  const letters = Array.from(cell);
  const reached = signReached(letters);
  return letters.filter((letter, at) => !(letter === "'" && reached[at + 1] && begins(letters, at))).join("");
}
