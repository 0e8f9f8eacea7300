import { writer } from "@/components/mail/compose";
import { handle, methods } from "@/lib/api/handle";
import { emailEndpoints as endpoints } from "@/lib/emails/contract";
import { listEmails } from "@/lib/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listEmails(tx, actor, query, writer)),
);
