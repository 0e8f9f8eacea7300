import { businessEndpoints as endpoints } from "@/lib/account/contract";
import { enterBusiness } from "@/lib/account/sessions";
import { handle, methods } from "@/lib/api/handle";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.enter, ({ tx, actor, params }) => enterBusiness(tx, actor, params.id)),
);
