import { handle, methods } from "@/lib/api/handle";
import { teamEndpoints as endpoints } from "@/lib/team/contract";
import { listMembers } from "@/lib/team/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listMembers(tx, actor, query)),
);
