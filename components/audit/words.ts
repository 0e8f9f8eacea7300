import { type AuditEntry, auditActions } from "@/lib/audit/contract";

export const actionWords = ({ action }: AuditEntry): string => auditActions[action];

/** Who did it, as colleagues know them. */
export function actorWords({ actor }: AuditEntry): string {
  if (actor.type === "system") return "Paydesk";
  if (actor.type === "api_key") return actor.name === null ? "An API key" : `Key “${actor.name}”`;
  return actor.name ?? "Somebody";
}

/** What it was done to; where that goes without saying, which fields. */
export function aboutWords(entry: AuditEntry): string {
  if (entry.about !== null) return entry.about;
  if (entry.action !== "settings.changed") return "";
  return differences(entry)
    .map(({ field }) => field.replace(/_/g, " "))
    .join(", ");
}

interface Difference {
  field: string;
  before: string | null;
  after: string | null;
}

/** Field by field what was and what is. */
export function differences({ before, after }: AuditEntry): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.map((field) => ({ field, before: shown(before?.[field]), after: shown(after?.[field]) }));
}

function shown(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
