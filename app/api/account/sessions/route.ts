import { handle, methods } from "@/lib/http/handle";
import { sessionEndpoints as endpoints } from "@/lib/resources/account/contract";
import { listSessions, removeOtherSessions } from "@/lib/resources/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listSessions(tx, actor, query)),
  handle(endpoints.removeOthers, ({ tx, actor }) => removeOtherSessions(tx, actor)),
);
