import { handle, methods } from "@/lib/api/handle";
import { timelineEndpoints as endpoints } from "@/lib/timeline/contract";
import { timelineOfPaymentLink } from "@/lib/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofPaymentLink, ({ actor, params, query, tx }) => timelineOfPaymentLink(tx, actor, params.id, query)),
);
