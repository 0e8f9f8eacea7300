import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { payoutEndpoints as endpoints, payoutColumns } from "@/lib/resources/payouts/contract";
import { payouts } from "@/lib/resources/payouts/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "payouts.exported",
      columns: payoutColumns,
      list: (page) => payouts.list(db, actor, page),
    }),
  ),
);
