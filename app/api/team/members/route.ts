import { handle, methods } from "@/lib/http/handle";
import { teamEndpoints as endpoints } from "@/lib/resources/team/contract";
import { listMembers } from "@/lib/resources/team/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listMembers(tx, actor, query)),
);
