import { handle, methods } from "@/lib/api/handle";
import { invitationEndpoints as endpoints } from "@/lib/team/contract";
import { invite, listInvitations } from "@/lib/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ tx, actor, body }) => invite(tx, actor, body)),
  handle(endpoints.list, ({ tx, actor, query }) => listInvitations(tx, actor, query)),
);
