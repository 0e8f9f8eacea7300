import { methods } from "@/lib/api/handle";
import { handleOpen } from "@/lib/api/handle-open";
import { registrationEndpoints as endpoints } from "@/lib/registration/contract";
import { accept } from "@/lib/registration/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handleOpen(endpoints.accept, ({ body, client, sessionId }) => accept(body, client, sessionId)),
);
