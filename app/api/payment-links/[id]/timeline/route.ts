import { handle, methods } from "@/lib/http/handle";
import { timelineEndpoints as endpoints } from "@/lib/resources/timeline/contract";
import { timelineOfPaymentLink } from "@/lib/resources/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofPaymentLink, ({ actor, params, query, tx }) => timelineOfPaymentLink(tx, actor, params.id, query)),
);
