import { writer } from "@/components/mail/compose";
import { handle, methods } from "@/lib/api/handle";
import { emailEndpoints as endpoints } from "@/lib/emails/contract";
import { resendEmail } from "@/lib/emails/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.resend, ({ actor, params, tx }) => resendEmail(tx, actor, params.id, writer)),
);
