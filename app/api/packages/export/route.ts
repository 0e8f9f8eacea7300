import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { packageEndpoints as endpoints, packageColumns } from "@/lib/resources/packages/contract";
import { embeddedPackages } from "@/lib/resources/packages/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "packages.exported",
      columns: packageColumns,
      list: (page) => embeddedPackages.list(db, actor, page),
    }),
  ),
);
