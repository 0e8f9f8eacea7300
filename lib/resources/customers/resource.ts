import { z } from "zod";
import type { Tenant } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";
import { optional, text } from "@/lib/http/fields";
import { byMetadata, search } from "@/lib/http/list-filters";
import { listQuery } from "@/lib/http/list-query";
import { inOrderOf } from "@/lib/http/list-streams";
import { metadataFilter } from "@/lib/http/metadata";
import { column, defineResource, instant, ownedBy } from "@/lib/resources/define";
import type { CustomerRecord } from "./contract";

/** The e-mail of a row, in lower case, as the indexes that end in "_customer" have it. */
export const key = Prisma.raw(`lower(email COLLATE "C")`);

/** The tables whose rows make an e-mail address a customer, and which of their rows count. */
export const tables = [
  ["payment_link", Prisma.raw("deleted_at IS NULL")],
  ["subscription", Prisma.raw("deleted_at IS NULL")],
  ["tokenization", Prisma.raw("true")],
] as const;

export const customerRowQuery = listQuery({
  q: optional(text(200)),
  present: optional(z.literal("true")),
  ...metadataFilter,
});

/** Whether a customer still has a link, subscription or card: their row stays when the last one is deleted. One lookup in each index. */
function isPresent(tenant: Tenant): Prisma.Sql {
  const each = tables.map(([name, kept]) => {
    const own = [Prisma.sql`${key} >= customer.email`, Prisma.sql`${key} <= customer.email`];
    return Prisma.sql`EXISTS (SELECT FROM (${inOrderOf(name, [ownedBy(tenant), kept, ...own], key, 1)}) AS one)`;
  });
  return Prisma.sql`(${Prisma.join(each, " OR ")})`;
}

/** The rows that staff write, which have the index of words. */
export const customers = defineResource<CustomerRecord, z.output<typeof customerRowQuery>>({
  name: "Customer",
  table: "customer",
  idPrefix: "cus",
  fields: {
    _id: Prisma.sql`id`,
    email: column,
    name: column,
    metadata: column,
    notes: column,
    business_id: column,
    livemode: column,
    created_at: instant,
    updated_at: instant,
  },
  filters: {
    q: search("email || ' ' || coalesce(name, '')"),
    present: (_, tenant) => isPresent(tenant),
    metadata: byMetadata,
  },
});
