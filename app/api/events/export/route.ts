import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints, eventColumns } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "events.exported",
      columns: eventColumns,
      list: (page) => events.list(db, actor, page),
    }),
  ),
);
