import { handle, methods } from "@/lib/http/handle";
import { addPasskey, listPasskeys } from "@/lib/resources/account/passkeys";
import { passkeyEndpoints as endpoints } from "@/lib/resources/account/passkeys-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listPasskeys(tx, actor, query)),
  handle(endpoints.create, ({ tx, actor, body }) => addPasskey(tx, actor, body)),
);
