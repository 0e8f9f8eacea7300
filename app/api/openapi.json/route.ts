import { methods, respond } from "@/lib/api/handle";
import { openapi } from "@/lib/api/openapi";
import { sections } from "@/lib/endpoints";
import { env } from "@/lib/env";
import { webhookMessages } from "@/lib/webhooks/messages";

let document: string | undefined;

/** The API's description for machines. Open to all: it tells nothing of anybody. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  method: "GET",
  serve: (request) =>
    respond(request, () => {
      document ??= JSON.stringify(openapi(sections, `${env().APP_URL}/api`, webhookMessages));
      return { status: 200, body: document };
    }),
});
