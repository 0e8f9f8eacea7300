import { type Db, Prisma } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { maxKeys } from "@/lib/core/metadata-key";
import { tooManyKeys } from "@/lib/http/metadata";
import { column, type Resource } from "@/lib/resources/define";
import type { Annotations, AnnotationsInput } from "./contract";

export const annotationColumns = { metadata: column, notes: column } as const;

type Given = Record<string, string | null>;

const orNull = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value || null]));

/** The columns of a new row. */
export function newAnnotations({ metadata, notes }: AnnotationsInput): Annotations {
  const kept = Object.entries(metadata ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return { metadata: Object.fromEntries(kept), notes: notes ?? null };
}

/** SQL: the assignments of an UPDATE. Empty if nothing is given. */
export function changedAnnotations({ metadata, notes }: AnnotationsInput): Prisma.Sql[] {
  const changed: Prisma.Sql[] = [];
  if (metadata === null) changed.push(Prisma.sql`metadata = '{}'`);
  else if (metadata)
    changed.push(Prisma.sql`metadata = jsonb_strip_nulls(metadata || ${JSON.stringify(orNull(metadata))}::jsonb)`);
  if (notes !== undefined) changed.push(Prisma.sql`notes = ${notes}`);
  return changed;
}

/**
 * Refuses to replace notes that the caller has not read. A repeated request passes: the notes are what it wants already.
 * @param was the notes of the locked row
 * @throws ApiError precondition_failed
 */
export function assertNotesUnchanged(
  was: string | null,
  { notes, previous_notes: read }: Pick<AnnotationsInput, "notes" | "previous_notes">,
): void {
  if (read !== undefined && read !== was && notes !== was) throw new ApiError("precondition_failed");
}

/**
 * Call it in the transaction of the change, after it: an update adds keys to those of the row.
 * @throws ValidationError
 */
export function assertFewKeys({ metadata }: Annotations): void {
  if (Object.keys(metadata).length > maxKeys) throw new ValidationError({ metadata: [tooManyKeys] });
}

/**
 * Changes a row and returns it as it was and as it is. It stays locked until the caller's transaction ends.
 * @throws ApiError not_found, precondition_failed; ValidationError for too many keys
 */
export async function updateAnnotations<Row extends Annotations, Query, Owner>(
  tx: Db,
  owner: Owner,
  resource: Resource<Row, Query, Owner>,
  id: string,
  input: AnnotationsInput,
): Promise<{ before: Row; after: Row }> {
  const before = await resource.get(tx, owner, id, Prisma.sql`FOR UPDATE`);
  assertNotesUnchanged(before.notes, input);
  const changes = changedAnnotations(input);
  if (changes.length === 0) return { before, after: before };
  const after = resource.orNotFound(await resource.update(tx, owner, id, Prisma.join(changes)));
  assertFewKeys(after);
  return { before, after };
}
