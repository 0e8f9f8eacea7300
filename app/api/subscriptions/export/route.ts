import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { subscriptionEndpoints as endpoints, subscriptionColumns } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

/** The file has no links, and each subscription would read up to twelve. */
const summaries = subscriptions.without("payment_links");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "subscriptions.exported",
      columns: subscriptionColumns,
      list: withCustomerNames(actor, (page) => summaries.list(db, actor, page)),
    }),
  ),
);
