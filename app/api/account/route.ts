import { handle, methods } from "@/lib/http/handle";
import { accountEndpoints as endpoints } from "@/lib/resources/account/contract";
import { getAccount, rename } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor }) => getAccount(tx, actor)),
  handle(endpoints.update, ({ tx, actor, body }) => rename(tx, actor, body.name)),
);
