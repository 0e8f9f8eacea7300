import { handle, methods } from "@/lib/http/handle";
import { twoFactorEndpoints as endpoints } from "@/lib/resources/account/contract";
import { disable } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disable, ({ tx, actor, body }) => disable(tx, actor, body)),
);
