import { methods } from "@/lib/http/handle";
import { handleOpen } from "@/lib/http/handle-open";
import { registrationEndpoints as endpoints } from "@/lib/resources/registrations/contract";
import { requestPasswordReset, resetPassword } from "@/lib/resources/registrations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.forgot, ({ body, client }) => requestPasswordReset(body.email, client)),
  handleOpen(endpoints.reset, ({ body, client }) => resetPassword(body, client)),
);
