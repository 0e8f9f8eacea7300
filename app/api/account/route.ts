import { accountEndpoints as endpoints } from "@/lib/account/contract";
import { getAccount, rename } from "@/lib/account/service";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor }) => getAccount(tx, actor)),
  handle(endpoints.update, ({ tx, actor, body }) => rename(tx, actor, body.name)),
);
