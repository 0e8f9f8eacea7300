import { handle, methods } from "@/lib/http/handle";
import { emailVerificationEndpoints as endpoints } from "@/lib/resources/account/contract";
import { confirmEmail, resendVerification } from "@/lib/resources/account/email-verification";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.send, ({ tx, actor }) => resendVerification(tx, actor)),
  handle(endpoints.confirm, ({ tx, actor, body }) => confirmEmail(tx, actor, body.token)),
);
