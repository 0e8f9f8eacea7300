import { twoFactorEndpoints as endpoints } from "@/lib/account/contract";
import { disable } from "@/lib/account/service";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disable, ({ tx, actor, body }) => disable(tx, actor, body)),
);
