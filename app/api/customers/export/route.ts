import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { customerColumns, customerEndpoints as endpoints } from "@/lib/resources/customers/contract";
import { listCustomers } from "@/lib/resources/customers/service";
import { exported } from "@/lib/resources/customers/totals";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "customers.exported",
      columns: customerColumns,
      list: async (query) => {
        const { rows, page } = await listCustomers(db, actor, query);
        return { rows: rows.map(exported), page };
      },
    }),
  ),
);
