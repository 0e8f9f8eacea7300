import type { Texts } from "@/components/ui/list/columns";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";

export function actorWords(t: Texts, { actor }: AuditEntry): string {
  if (actor.type === "system") return "Paydesk";
  if (actor.type === "api_key")
    return actor.name === null ? t("audit.words.anyKey") : t("audit.words.key", { name: actor.name });
  return actor.name ?? t("audit.words.formerMember");
}

/** The resource, or the changed fields if the action implies the resource. */
export function aboutWords(t: Texts, entry: AuditEntry): string {
  if (entry.about !== null) return entry.about;
  if (entry.action !== "settings.changed") return "";
  return differences(t, entry)
    .map(({ field }) => field.replace(/_/g, " "))
    .join(", ");
}

interface Difference {
  field: string;
  before: string | null;
  after: string | null;
}

export function differences(t: Texts, { before, after }: AuditEntry): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.map((field) => ({ field, before: shown(t, before?.[field]), after: shown(t, after?.[field]) }));
}

function shown(t: Texts, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length === 0 ? t("audit.words.none") : value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
