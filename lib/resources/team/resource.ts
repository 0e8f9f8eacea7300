import { Prisma } from "@/lib/core/db";
import { column, defineResource, instant, ownedByBusiness } from "@/lib/resources/define";
import type { Invitation, InvitationListQuery, Member, MemberListQuery } from "./contract";

// A team belongs to a business, not to one of its modes.
type Business = { businessId: number };

/** team_member is a view of memberships with their people. */
export const members = defineResource<Member, MemberListQuery, Business>({
  name: "Member",
  table: "team_member",
  idPrefix: "usr",
  ownedBy: ownedByBusiness,
  fields: {
    _id: Prisma.sql`id`,
    name: column,
    email: column,
    role: column,
    two_factor: column,
    last_seen_at: instant,
    business_id: column,
    created_at: instant,
  },
  filters: { role: column },
});

// By the system's clock, also in test mode.
const status = Prisma.sql`
  CASE WHEN accepted_at IS NOT NULL THEN 'accepted' WHEN revoked_at IS NOT NULL THEN 'withdrawn'
       WHEN expires_at <= now() THEN 'expired' ELSE 'open' END`;

export const invitations = defineResource<Invitation, InvitationListQuery, Business>({
  name: "Invitation",
  table: "invitation",
  idPrefix: "inv",
  ownedBy: ownedByBusiness,
  fields: {
    _id: Prisma.sql`id`,
    email: column,
    role: column,
    status,
    business_id: column,
    expires_at: instant,
    created_at: instant,
    updated_at: instant,
  },
  filters: { status: (wanted) => Prisma.sql`${status} = ${wanted}` },
});
