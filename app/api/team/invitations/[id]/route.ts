import { handle, methods } from "@/lib/http/handle";
import { invitationEndpoints as endpoints } from "@/lib/resources/team/contract";
import { withdraw } from "@/lib/resources/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.remove, ({ tx, actor, params }) => withdraw(tx, actor, params.id)),
);
