import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints, eventColumns } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";

/** The file has no data, and that of a subscription's event holds up to twelve links. */
const summaries = events.without("data");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "events.exported",
      columns: eventColumns,
      list: (page) => summaries.list(db, actor, page),
    }),
  ),
);
