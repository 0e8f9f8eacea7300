import { tenantOf } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";
import { facet, key } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { AuditEntry, AuditListQuery } from "./contract";

const action: Facet = { sql: "action", type: "text" };

export const auditEntries = defineResource<AuditEntry, AuditListQuery>({
  name: "Audit entry",
  table: "audit_entry",
  idPrefix: "aud",
  // Of the caller's mode or of both modes.
  ownedBy: (tenant) => {
    const { business_id, livemode } = tenantOf(tenant);
    return Prisma.sql`business_id = ${business_id} AND (livemode IS NULL OR livemode = ${livemode})`;
  },
  fields: {
    _id: Prisma.sql`id`,
    action: column,
    actor: Prisma.sql`json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name)`,
    address: column,
    request_id: column,
    resource_id: column,
    about: column,
    before: column,
    after: column,
    business_id: column,
    livemode: column,
    created_at: instant,
  },
  filters: {
    action: facet(action),
    actor: (actor) => Prisma.sql`(actor_id = ${actor} OR lower(actor_name) = lower(${actor}))`,
    resource_id: key("resource_id"),
  },
  facets: [[action]],
});
