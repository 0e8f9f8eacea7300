import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { refundEndpoints as endpoints, refundColumns } from "@/lib/resources/refunds/contract";
import { listRefunds } from "@/lib/resources/refunds/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "refunds.exported",
      columns: refundColumns,
      list: withCustomerNames(actor, (page) => listRefunds(db, actor, page)),
    }),
  ),
);
