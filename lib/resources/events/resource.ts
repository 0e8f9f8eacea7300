import { Prisma } from "@/lib/core/db";
import { facet, few } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { Event, EventListQuery } from "./contract";

const type: Facet = { sql: "type", type: "text" };

export const events = defineResource<Event, EventListQuery>({
  name: "Event",
  table: "event",
  idPrefix: "evt",
  fields: {
    _id: Prisma.sql`id`,
    type: column,
    created_at: instant,
    business_id: column,
    livemode: column,
    resource_id: column,
    sequence: column,
    data: column,
    actor: Prisma.sql`json_build_object('type', actor_type, 'id', actor_id)`,
    request_id: column,
  },
  filters: {
    type: facet(type),
    resource_id: few("event", "resource_id"),
    payment_link_id: few("event", "payment_link_id"),
    subscription_id: few("event", "subscription_id"),
  },
  facets: [[type]],
});
