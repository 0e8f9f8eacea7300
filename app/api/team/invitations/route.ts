import { handle, methods } from "@/lib/http/handle";
import { invitationEndpoints as endpoints } from "@/lib/resources/team/contract";
import { invite, listInvitations } from "@/lib/resources/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ tx, actor, body }) => invite(tx, actor, body)),
  handle(endpoints.list, ({ tx, actor, query }) => listInvitations(tx, actor, query)),
);
