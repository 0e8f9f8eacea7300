import { businessEndpoints as endpoints } from "@/lib/account/contract";
import { leaveBusiness } from "@/lib/account/sessions";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.leave, ({ tx, actor, params }) => leaveBusiness(tx, actor, params.id)),
);
