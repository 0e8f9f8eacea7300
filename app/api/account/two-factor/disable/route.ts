import { handle, methods } from "@/lib/http/handle";
import { twoFactorEndpoints as endpoints } from "@/lib/resources/account/contract";
import { turnOffTwoFactor } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disable, ({ tx, actor, body }) => turnOffTwoFactor(tx, actor, body.password)),
);
