import { Prisma } from "@/lib/core/db";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { ApiKey, ApiKeyListQuery } from "./contract";

/** By the system's clock, also in test mode, as in lib/auth/keys.ts. */
export const usable = Prisma.sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

export const apiKeys = defineResource<ApiKey, ApiKeyListQuery>({
  name: "API key",
  table: "api_key",
  idPrefix: "key",
  fields: {
    _id: Prisma.sql`id`,
    name: column,
    hint: column,
    scopes: column,
    status: Prisma.sql`
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END`,
    business_id: column,
    livemode: column,
    expires_at: instant,
    last_used_at: instant,
    revoked_at: instant,
    replaced_by: column,
    created_at: instant,
    updated_at: instant,
    allowed_ips: column,
    created_by: column,
    created_by_name: Prisma.sql`(SELECT u.name FROM staff_user u WHERE u.id = created_by)`,
  },
  filters: { usable: (wanted) => (wanted ? usable : Prisma.sql`NOT ${usable}`) },
});
