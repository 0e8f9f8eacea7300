import { handle, methods } from "@/lib/api/handle";
import { eventEndpoints as endpoints } from "@/lib/events/contract";
import { getEvent } from "@/lib/events/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getEvent(tx, actor, params.id)),
);
