import { writer } from "@/components/mail-templates/compose";
import { handle, methods } from "@/lib/http/handle";
import { emailEndpoints as endpoints } from "@/lib/resources/emails/contract";
import { listEmails } from "@/lib/resources/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listEmails(tx, actor, query, writer)),
);
