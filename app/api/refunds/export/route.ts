import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { refundEndpoints as endpoints, refundColumns } from "@/lib/resources/refunds/contract";
import { refundsOfLinks } from "@/lib/resources/refunds/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "refunds.exported",
      columns: refundColumns,
      list: (page) => refundsOfLinks.list(db, actor, page),
    }),
  ),
);
