import { firstIdAt, type IdPrefix, newId } from "@/lib/core/id";

/** An id that was made at a time: retention goes by it. */
export function idMadeAt(prefix: IdPrefix, at: Date): string {
  const head = firstIdAt(prefix, at);
  return `${head}${newId(prefix).slice(head.length)}`;
}
