import { handle, methods } from "@/lib/http/handle";
import { teamEndpoints as endpoints } from "@/lib/resources/team/contract";
import { changeRole, removeMember } from "@/lib/resources/team/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.update, ({ tx, actor, params, body }) => changeRole(tx, actor, params.id, body.role)),
  handle(endpoints.remove, ({ tx, actor, params, query }) => removeMember(tx, actor, params.id, query.keep_keys)),
);
