import { writer } from "@/components/mail-templates/compose";
import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { emailColumns, emailEndpoints as endpoints } from "@/lib/resources/emails/contract";
import { listEmails } from "@/lib/resources/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "emails.exported",
      columns: emailColumns,
      list: (page) => listEmails(db, actor, page, writer),
    }),
  ),
);
