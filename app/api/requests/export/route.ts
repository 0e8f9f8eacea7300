import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { requestEndpoints as endpoints, requestColumns } from "@/lib/resources/requests/contract";
import { requestSummaries } from "@/lib/resources/requests/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "requests.exported",
      columns: requestColumns,
      list: (page) => requestSummaries.list(db, actor, page),
    }),
  ),
);
