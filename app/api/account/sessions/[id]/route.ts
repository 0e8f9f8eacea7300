import { sessionEndpoints as endpoints } from "@/lib/account/contract";
import { removeSession } from "@/lib/account/sessions";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.remove, ({ tx, actor, params }) => removeSession(tx, actor, params.id)),
);
