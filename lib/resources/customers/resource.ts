import type { z } from "zod";
import { Prisma } from "@/lib/core/db";
import { optional, text } from "@/lib/http/fields";
import { search } from "@/lib/http/list-filters";
import { listQuery } from "@/lib/http/list-query";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { CustomerRecord } from "./contract";

export const customerRowQuery = listQuery({ q: optional(text(200)) });

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
  filters: { q: search("email || ' ' || coalesce(name, '')") },
});
