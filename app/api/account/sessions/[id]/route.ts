import { handle, methods } from "@/lib/http/handle";
import { sessionEndpoints as endpoints } from "@/lib/resources/account/contract";
import { removeSession } from "@/lib/resources/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.remove, ({ tx, actor, params }) => removeSession(tx, actor, params.id)),
);
