import { methods } from "@/lib/http/handle";
import { handleOpen } from "@/lib/http/handle-open";
import { registrationEndpoints as endpoints } from "@/lib/resources/registrations/contract";
import { acceptInvitation } from "@/lib/resources/registrations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.accept, ({ body, client, sessionId }) => acceptInvitation(body, client, sessionId)),
);
