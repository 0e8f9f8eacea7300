import { handle, methods } from "@/lib/http/handle";
import { accountEndpoints as endpoints } from "@/lib/resources/account/contract";
import { changePassword } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.password, ({ tx, actor, body }) => changePassword(tx, actor, body)),
);
