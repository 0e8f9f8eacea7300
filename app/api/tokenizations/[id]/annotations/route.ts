import { handle, methods } from "@/lib/http/handle";
import { annotate } from "@/lib/resources/annotations/service";
import { tokenizationEndpoints as endpoints } from "@/lib/resources/tokenizations/contract";
import {
  eventTokenization,
  tokenizations as resource,
  serializeTokenization,
} from "@/lib/resources/tokenizations/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, async ({ actor, params, body, tx }) => {
    const event = (data: Parameters<typeof eventTokenization>[0]) =>
      ({ type: "tokenization.updated", data: eventTokenization(data) }) as const;
    return serializeTokenization(await annotate(tx, actor, { resource, event }, params.id, body));
  }),
);
