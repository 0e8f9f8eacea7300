import { handle, methods } from "@/lib/api/handle";
import { invitationEndpoints as endpoints } from "@/lib/team/contract";
import { withdraw } from "@/lib/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.remove, ({ tx, actor, params }) => withdraw(tx, actor, params.id)),
);
