import { handle, methods } from "@/lib/http/handle";
import { beginPasskey } from "@/lib/resources/account/passkeys";
import { passkeyEndpoints as endpoints } from "@/lib/resources/account/passkeys-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.begin, ({ tx, actor }) => beginPasskey(tx, actor)),
);
