import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => events.get(tx, actor, params.id)),
);
