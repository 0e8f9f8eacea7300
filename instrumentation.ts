import { isDatabaseAway } from "@/lib/core/database-error";
import { refusedRequestIds } from "@/lib/core/refused";

/** The framework calls this for an error of a page, before it answers with 500. */
export function onRequestError(error: unknown, { headers }: { headers: NodeJS.Dict<string | string[]> }): void {
  const id = headers["x-request-id"];
  if (typeof id === "string" && isDatabaseAway(error)) refusedRequestIds().add(id);
}
