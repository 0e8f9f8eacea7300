import { twoFactorEndpoints as endpoints } from "@/lib/account/contract";
import { begin, confirm } from "@/lib/account/service";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.begin, ({ tx, actor, body }) => begin(tx, actor, body.password)),
  handle(endpoints.confirm, ({ tx, actor, body }) => confirm(tx, actor, body.code)),
);
