import { handle, methods } from "@/lib/http/handle";
import { beginConfirmation } from "@/lib/resources/account/passkeys";
import { passkeyEndpoints as endpoints } from "@/lib/resources/account/passkeys-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.beginConfirmation, ({ tx, actor }) => beginConfirmation(tx, actor)),
);
