/** Metadata as lines of a text field: "key: value". */
type Metadata = Record<string, string>;

const entry = /^\s*([^:\s]+)\s*:(.*)$/;

export const isEntry = (line: string): boolean => Boolean(entry.exec(line)?.[2]?.trim());

/** The database returns keys in an order of its own. */
export const sortedEntries = (metadata: Metadata): [string, string][] =>
  Object.entries(metadata).sort(([a], [b]) => a.localeCompare(b, "en"));

export const metadataText = (metadata: Metadata): string =>
  sortedEntries(metadata)
    .map(([key, value]) => `${key}: ${value.replaceAll("\n", " ")}`)
    .join("\n");

export const entriesOf = (text: string): Metadata =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, key, value] = entry.exec(line) ?? [];
      return key ? [[key, value?.trim() ?? ""]] : [];
    }),
  );

/** What to send so that the metadata becomes that of the text: a key that is not in it is removed. */
export function metadataChange(was: Metadata, text: string): Record<string, string | null> {
  const is = entriesOf(text);
  const shown = entriesOf(metadataText(was));
  const removed = Object.keys(was).filter((key) => !(key in is));
  const set = Object.entries(is).filter(([key, value]) => shown[key] !== value);
  return Object.fromEntries([...removed.map((key) => [key, null]), ...set]);
}
