import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints } from "@/lib/resources/events/contract";
import { getEvent } from "@/lib/resources/events/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getEvent(tx, actor, params.id)),
);
