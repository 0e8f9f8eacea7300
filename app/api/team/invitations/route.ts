import { handle, methods } from "@/lib/http/handle";
import { invitationEndpoints as endpoints } from "@/lib/resources/team/contract";
import { invite } from "@/lib/resources/team/invitations";
import { invitations } from "@/lib/resources/team/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ tx, actor, body }) => invite(tx, actor, body)),
  handle(endpoints.list, ({ tx, actor, query }) => invitations.list(tx, actor, query)),
);
