import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { disputeColumns, disputeEndpoints as endpoints } from "@/lib/resources/disputes/contract";
import { disputes } from "@/lib/resources/disputes/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "disputes.exported",
      columns: disputeColumns,
      list: withCustomerNames(actor, (page) => disputes.list(db, actor, page)),
    }),
  ),
);
