import { type Acting, acting } from "@/lib/core/acting";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { AuditAction } from "./audit-actions";

export interface AuditEntry {
  action: AuditAction;
  /** Undefined when the action concerns both modes. */
  livemode?: boolean;
  resource_id?: string;
  /** The resource's display name. */
  about?: string | null;
  /** The changed fields. Never put secrets in `before` or `after`. */
  before?: object | null;
  after?: object | null;
  /** The current actor by default. Requests without authentication pass it. */
  who?: Acting;
}

/** Writes an audit entry in the transaction of the change. Payers' actions are not audited. */
export async function audit(tx: Db, businessId: number, entry: AuditEntry): Promise<void> {
  const { action, livemode = null, resource_id = null, about = null, before = null, after = null } = entry;
  const who = entry.who ?? acting();
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await queryRows(
    tx,
    Prisma.sql`
    INSERT INTO audit_entry (id, business_id, livemode, actor_type, actor_id, actor_name, address, request_id, action,
                             resource_id, about, before, after)
    VALUES (${newId("aud")}, ${businessId}::int, ${livemode}::boolean, ${who.type}, ${who.id},
            CASE ${who.type}::text WHEN 'user' THEN (SELECT u.email FROM staff_user u WHERE u.id = ${who.id})
                                   WHEN 'api_key' THEN (SELECT k.name FROM api_key k WHERE k.id = ${who.id}) END,
            ${who.address}, ${who.requestId}, ${action}, ${resource_id}, ${about}, ${json(before)}::jsonb,
            ${json(after)}::jsonb)`,
  );
}

export async function auditPerson(tx: Db, userId: string, entry: AuditEntry): Promise<void> {
  const memberships = await tx.membership.findMany({ where: { user_id: userId }, select: { business_id: true } });
  for (const { business_id } of memberships) await audit(tx, business_id, { resource_id: userId, ...entry });
}

/** Derived fields: not audited. */
const unaudited = new Set([
  "created_at",
  "updated_at",
  "last_seen_at",
  "last_used_at",
  "can_take_payments",
  "held_backup_at",
]);

/** The fields that differ between two versions; null when none does. */
export function changed<T extends object>(was: T, is: T): { before: Partial<T>; after: Partial<T> } | null {
  const names = (Object.keys(is) as (keyof T & string)[]).filter(
    (name) => !unaudited.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  if (names.length === 0) return null;
  const only = (row: T) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])) as Partial<T>;
  return { before: only(was), after: only(is) };
}
