import { handle, methods } from "@/lib/http/handle";
import { twoFactorEndpoints as endpoints } from "@/lib/resources/account/contract";
import { begin, confirm } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.begin, ({ tx, actor, body }) => begin(tx, actor, body.password)),
  handle(endpoints.confirm, ({ tx, actor, body }) => confirm(tx, actor, body.code)),
);
