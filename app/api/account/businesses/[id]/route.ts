import { handle, methods } from "@/lib/http/handle";
import { businessEndpoints as endpoints } from "@/lib/resources/account/contract";
import { leaveBusiness } from "@/lib/resources/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.leave, ({ tx, actor, params }) => leaveBusiness(tx, actor, params.id)),
);
