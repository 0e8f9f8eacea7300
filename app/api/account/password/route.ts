import { accountEndpoints as endpoints } from "@/lib/account/contract";
import { changePassword } from "@/lib/account/service";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.password, ({ tx, actor, body }) => changePassword(tx, actor, body)),
);
