import { handle, methods } from "@/lib/api/handle";
import { eventEndpoints as endpoints } from "@/lib/events/contract";
import { listEvents } from "@/lib/events/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listEvents(tx, actor, query)),
);
