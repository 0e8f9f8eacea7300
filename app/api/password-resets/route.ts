import { methods } from "@/lib/api/handle";
import { handleOpen } from "@/lib/api/handle-open";
import { registrationEndpoints as endpoints } from "@/lib/registration/contract";
import { forgot, resetPassword } from "@/lib/registration/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.forgot, ({ body, client }) => forgot(body.email, client)),
  handleOpen(endpoints.reset, ({ body }) => resetPassword(body)),
);
