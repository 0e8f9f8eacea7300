import { handle, methods } from "@/lib/http/handle";
import { teamEndpoints as endpoints } from "@/lib/resources/team/contract";
import { keysOfMember } from "@/lib/resources/team/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.keys, ({ tx, actor, params }) => keysOfMember(tx, actor, params.id)),
);
