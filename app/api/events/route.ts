import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => events.list(tx, actor, query)),
);
