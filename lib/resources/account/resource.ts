import Bowser from "bowser";
import { Prisma } from "@/lib/core/db";
import { column, defineResource, instant, ownedByBusiness } from "@/lib/resources/define";
import type { OwnBusiness, PlainListQuery, Session } from "./contract";
import type { Passkey } from "./passkeys-contract";
import type { SavedView, SavedViewListQuery } from "./saved-views-contract";

type Person = { userId: string };
type Member = Person & { businessId: number };

function ownedByPerson({ userId }: Person): Prisma.Sql {
  if (!userId) throw new Error("no person");
  return Prisma.sql`user_id = ${userId}`;
}

type SessionRow = Omit<Session, "browser" | "device" | "current"> & { user_agent: string | null };

export const sessions = defineResource<SessionRow, PlainListQuery, Person>({
  name: "Session",
  table: "session",
  idPrefix: "ses",
  ownedBy: ownedByPerson,
  fields: {
    _id: Prisma.sql`id`,
    user_agent: column,
    address: column,
    business_id: column,
    created_at: instant,
    last_seen_at: instant,
    expires_at: instant,
  },
  filters: {},
});

export const passkeys = defineResource<Passkey, PlainListQuery, Person>({
  name: "Passkey",
  table: "passkey",
  idPrefix: "pky",
  ownedBy: ownedByPerson,
  fields: {
    _id: Prisma.sql`id`,
    name: column,
    backed_up: column,
    last_used_at: instant,
    created_at: instant,
  },
  filters: {},
});

/** At most 30 of each list, so the filter needs no index of its own. */
export const savedViews = defineResource<SavedView, SavedViewListQuery, Member>({
  name: "Saved view",
  table: "saved_view",
  idPrefix: "svw",
  ownedBy: (member) => Prisma.sql`${ownedByBusiness(member)} AND ${ownedByPerson(member)}`,
  fields: {
    _id: Prisma.sql`id`,
    list: column,
    name: column,
    query: column,
    is_default: column,
    created_at: instant,
    updated_at: instant,
  },
  filters: { list: column },
});

/** @param current the id of the caller's session */
export function presentSession({ user_agent, ...row }: SessionRow, current: string): Session {
  const { browser, os } = Bowser.parse(user_agent || " ");
  const name = [browser.name, browser.version?.split(".")[0]].filter(Boolean).join(" ");
  return { ...row, browser: name || null, device: os.name ?? null, current: row._id === current };
}

/** person_business is a view of memberships with their businesses. */
export const ownBusinesses = defineResource<Omit<OwnBusiness, "current">, PlainListQuery, Person>({
  name: "Business",
  table: "person_business",
  idPrefix: null,
  ownedBy: ownedByPerson,
  fields: {
    _id: Prisma.sql`id`,
    name: column,
    role: column,
    only_owner: Prisma.sql`
      role = 'owner' AND NOT EXISTS (
        SELECT FROM membership o
         WHERE o.business_id = person_business.id::int AND o.user_id <> person_business.user_id AND o.role = 'owner')`,
    created_at: instant,
  },
  filters: {},
});
