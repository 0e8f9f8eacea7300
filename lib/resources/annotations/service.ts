import type { Actor } from "@/lib/auth/actor";
import { type Db, transaction } from "@/lib/core/db";
import type { ListQuery } from "@/lib/http/list-query";
import { type NewEvent, record } from "@/lib/outbox/record";
import type { Resource } from "@/lib/resources/define";
import type { Annotations, AnnotationsInput } from "./contract";
import { updateAnnotations } from "./resource";

interface Annotated<Row, Query extends ListQuery> {
  resource: Resource<Row, Query, Actor>;
  event: (row: Row) => NewEvent;
}

/**
 * Changes metadata and notes of a row in any state. Keys that are not given stay. The same values again record no event.
 * @throws ApiError not_found, precondition_failed; ValidationError for too many keys
 */
export async function annotate<Row extends Annotations, Query extends ListQuery>(
  tx: Db,
  actor: Actor,
  { resource, event }: Annotated<Row, Query>,
  id: string,
  input: AnnotationsInput,
): Promise<Row> {
  return transaction(tx, async (tx) => {
    const { before, after } = await updateAnnotations(tx, actor, resource, id, input);
    if (textOf(after) !== textOf(before)) await record(tx, actor, [event(after)]);
    return after;
  });
}

/** PostgreSQL stores the keys of metadata in one order. */
const textOf = ({ metadata, notes }: Annotations): string => JSON.stringify([metadata, notes]);
