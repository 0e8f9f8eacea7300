import { env } from "@/lib/core/env";
import { methods, respond } from "@/lib/http/handle";
import { openapi } from "@/lib/http/openapi";
import { sections } from "@/lib/resources/endpoints";
import { webhookMessages } from "@/lib/resources/events/webhook-messages";

let document: string | undefined;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  method: "GET",
  serve: (request) =>
    respond(request, () => {
      document ??= JSON.stringify(openapi(sections, `${env().APP_URL}/api`, webhookMessages));
      return { status: 200, body: document };
    }),
});
