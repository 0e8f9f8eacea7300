import { handle, methods } from "@/lib/http/handle";
import { unknownChargeEndpoints as endpoints } from "@/lib/resources/unknown-charges/contract";
import { acknowledgeCharge } from "@/lib/resources/unknown-charges/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.acknowledge, ({ actor, params, body }) => acknowledgeCharge(actor, params.id, body)),
);
