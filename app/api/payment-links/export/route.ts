import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { csvColumns, paymentLinkCsvEndpoints as endpoints } from "@/lib/resources/payment-links/csv-contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "payment_links.exported",
      columns: csvColumns,
      list: withCustomerNames(actor, (page) => paymentLinks.list(db, actor, page)),
    }),
  ),
);
