import { sessionEndpoints as endpoints } from "@/lib/account/contract";
import { listSessions, removeOtherSessions } from "@/lib/account/sessions";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listSessions(tx, actor, query)),
  handle(endpoints.removeOthers, ({ tx, actor }) => removeOtherSessions(tx, actor)),
);
