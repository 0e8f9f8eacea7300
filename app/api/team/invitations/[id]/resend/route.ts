import { handle, methods } from "@/lib/api/handle";
import { invitationEndpoints as endpoints } from "@/lib/team/contract";
import { resend } from "@/lib/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.resend, ({ tx, actor, params }) => resend(tx, actor, params.id)),
);
