/** Does the work for every item, so many at a time: as many as the product meets, not as many as there are. */
export async function sideBySide<T, R>(
  width: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
