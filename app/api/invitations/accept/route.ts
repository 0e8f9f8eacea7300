import { methods } from "@/lib/http/handle";
import { handleOpen } from "@/lib/http/handle-open";
import { acceptInvitation } from "@/lib/resources/registrations/accept";
import { registrationEndpoints as endpoints } from "@/lib/resources/registrations/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.accept, ({ body, sessionId }) => acceptInvitation(body, sessionId)),
);
