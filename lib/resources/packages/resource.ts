import { Prisma } from "@/lib/core/db";
import { byMetadata, matches } from "@/lib/http/list-filters";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant } from "@/lib/resources/define";
import { maxSubscribers, type Package, type PackageListQuery, type PackageWithCounts } from "./contract";

/** As embedded in a subscription. */
export const embeddedPackages = defineResource<Package, PackageListQuery>({
  name: "Package",
  table: "package",
  idPrefix: "pkg",
  keepsDeleted: true,
  fields: {
    _id: Prisma.sql`id`,
    name: column,
    description: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    frequency: column,
    currency: column,
    date_charge_start: Prisma.sql`to_char(date_charge_start, 'YYYY-MM-DD')`,
    business_id: column,
    status: column,
    created_at: instant,
    updated_at: instant,
    amount_cents: column,
    livemode: column,
    ...annotationColumns,
  },
  filters: {
    status: column,
    currency: column,
    frequency: column,
    q: matches("name || ' ' || coalesce(description, '')"),
    metadata: byMetadata,
  },
});

export const packages = embeddedPackages.extend<PackageWithCounts>({
  subscriber_count: Prisma.sql`(
    SELECT count(*)::int FROM (
      SELECT FROM subscription
       WHERE package_id = package.id AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed') LIMIT ${maxSubscribers}::int
    ) AS subscriber)`,
});
