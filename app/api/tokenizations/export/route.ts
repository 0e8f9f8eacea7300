import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { withCustomerNames } from "@/lib/resources/customers/exported-names";
import { tokenizationEndpoints as endpoints, tokenizationColumns } from "@/lib/resources/tokenizations/contract";
import { listTokenizations } from "@/lib/resources/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "tokenizations.exported",
      columns: tokenizationColumns,
      list: withCustomerNames(actor, (page) => listTokenizations(db, actor, page)),
    }),
  ),
);
