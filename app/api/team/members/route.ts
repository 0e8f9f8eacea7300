import { handle, methods } from "@/lib/http/handle";
import { teamEndpoints as endpoints } from "@/lib/resources/team/contract";
import { members } from "@/lib/resources/team/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => members.list(tx, actor, query)),
);
