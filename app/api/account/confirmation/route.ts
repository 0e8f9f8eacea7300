import { handle, methods } from "@/lib/http/handle";
import { sessionEndpoints as endpoints } from "@/lib/resources/account/contract";
import { confirmIdentity } from "@/lib/resources/account/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.confirm, ({ tx, actor, body }) => confirmIdentity(tx, actor, body)),
);
