import { handle, methods } from "@/lib/http/handle";
import { twoFactorEndpoints as endpoints } from "@/lib/resources/account/contract";
import { beginEnrolment, confirmEnrolment } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.begin, ({ tx, actor }) => beginEnrolment(tx, actor)),
  handle(endpoints.confirm, ({ tx, actor, body }) => confirmEnrolment(tx, actor, body.code)),
);
