interface Tree {
  readonly [key: string]: string | Tree;
}

/** Maps each text of a tree. */
export function mapTexts(tree: Tree, change: (text: string) => unknown): unknown {
  const entries = Object.entries(tree).map(([key, value]) => [
    key,
    typeof value === "string" ? change(value) : mapTexts(value, change),
  ]);
  return Object.fromEntries(entries);
}
