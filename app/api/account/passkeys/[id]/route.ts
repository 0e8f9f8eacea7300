import { handle, methods } from "@/lib/http/handle";
import { removePasskey } from "@/lib/resources/account/passkeys";
import { passkeyEndpoints as endpoints } from "@/lib/resources/account/passkeys-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.remove, ({ tx, actor, params }) => removePasskey(tx, actor, params.id)),
);
