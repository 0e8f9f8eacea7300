import { writer } from "@/components/mail/compose";
import { handle, methods } from "@/lib/api/handle";
import { emailEndpoints as endpoints } from "@/lib/emails/contract";
import { getEmail } from "@/lib/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getEmail(tx, actor, params.id, writer)),
);
