import { handle, methods } from "@/lib/http/handle";
import { eventEndpoints as endpoints } from "@/lib/resources/events/contract";
import { listEvents } from "@/lib/resources/events/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listEvents(tx, actor, query)),
);
