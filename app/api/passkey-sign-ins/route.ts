import { methods } from "@/lib/http/handle";
import { handleOpen } from "@/lib/http/handle-open";
import { beginPasskeySignIn } from "@/lib/resources/account/passkeys";
import { passkeyEndpoints as endpoints } from "@/lib/resources/account/passkeys-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.beginSignIn, ({ body, cookies, headers }) => beginPasskeySignIn(body, cookies, headers)),
);
