import { handle, methods } from "@/lib/http/handle";
import { businessEndpoints as endpoints } from "@/lib/resources/account/contract";
import { enterBusiness } from "@/lib/resources/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.enter, ({ tx, actor, params }) => enterBusiness(tx, actor, params.id)),
);
