import { handle, methods } from "@/lib/http/handle";
import { teamEndpoints as endpoints } from "@/lib/resources/team/contract";
import { endMemberSessions } from "@/lib/resources/team/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.endSessions, ({ tx, actor, params }) => endMemberSessions(tx, actor, params.id)),
);
