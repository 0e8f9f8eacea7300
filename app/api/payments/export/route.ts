import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { paymentEndpoints as endpoints, paymentColumns } from "@/lib/resources/payments/contract";
import { listPayments } from "@/lib/resources/payments/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "payments.exported",
      columns: paymentColumns,
      list: withCustomerNames(actor, (page) => listPayments(db, actor, page)),
    }),
  ),
);
