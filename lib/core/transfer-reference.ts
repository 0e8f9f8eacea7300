/** Characters of a link's id after its prefix: 48 bits of time and 20 random bits. The id keeps 110 secret ones. */
const length = 14;

/**
 * The reference that a payer gives with a bank transfer: the beginning of the link's id, "PL01-K8M3-V7Q2-R5T9". Staff search for
 * it, with or without hyphens, in either case. It needs no column and no index, and does not reveal the pay page's address.
 */
export function transferReference(linkId: string): string {
  const short = `PL${linkId.slice(3, 3 + length).toUpperCase()}`;
  return short.replace(/(.{4})(?=.)/g, "$1-");
}

/** Ids begin with the time of their creation: 01 until 2039, 04 until 2144. A merchant's own references begin otherwise. */
const idStart = new RegExp(`^0[1-4][0-9a-hjkmnp-tv-z]{${length - 2}}$`);

/**
 * The beginning of the ids of links with this reference; null if the text is no reference. Banks may drop hyphens, and people
 * read O for 0, and I or L for 1.
 */
export function idStartOf(text: string): string | null {
  const written = text.toLowerCase().replace(/[\s_-]/g, "");
  if (!written.startsWith("pl")) return null;
  const start = written.slice(2).replace(/o/g, "0").replace(/[il]/g, "1");
  return idStart.test(start) ? `pl_${start}` : null;
}
