import { writer } from "@/components/mail-templates/compose";
import { handle, methods } from "@/lib/http/handle";
import { emailEndpoints as endpoints } from "@/lib/resources/emails/contract";
import { resendEmail } from "@/lib/resources/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.resend, ({ actor, params, tx }) => resendEmail(tx, actor, params.id, writer)),
);
