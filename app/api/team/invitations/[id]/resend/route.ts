import { handle, methods } from "@/lib/http/handle";
import { invitationEndpoints as endpoints } from "@/lib/resources/team/contract";
import { resend } from "@/lib/resources/team/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.resend, ({ tx, actor, params }) => resend(tx, actor, params.id)),
);
