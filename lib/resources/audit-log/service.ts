import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows } from "@/lib/http/list";
import type { AuditEntry, AuditListQuery } from "./contract";

interface Row extends Omit<AuditEntry, "_id" | "actor"> {
  id: string;
  actor_type: AuditEntry["actor"]["type"];
  actor_id: string | null;
  actor_name: string | null;
}

const columns = Prisma.sql`
  id, action, actor_type, actor_id, actor_name, address, request_id, resource_id, about, before, after, business_id, livemode,
  ${iso("created_at")} AS created_at`;

function present({ id, action, actor_type, actor_id, actor_name, ...row }: Row): AuditEntry {
  return { _id: id, action, actor: { type: actor_type, id: actor_id, name: actor_name }, ...row };
}

/** Of the caller's mode and of what both share. Newest first unless asked otherwise. */
export async function listAudit(tx: Db, actor: Actor, query: AuditListQuery): Promise<Page<AuditEntry>> {
  const { business_id, livemode } = owner(actor);
  const { action, resource_id } = query;
  const where = [
    Prisma.sql`business_id = ${business_id} AND (livemode IS NULL OR livemode = ${livemode})`,
    ...equals({ action, resource_id }),
  ];
  if (query.actor !== null)
    where.push(Prisma.sql`(actor_id = ${query.actor} OR lower(actor_name) = lower(${query.actor}))`);
  const { rows, page } = await listRows<Row>(tx, { table: "audit_entry", columns, where, query });
  return { rows: rows.map(present), page };
}
