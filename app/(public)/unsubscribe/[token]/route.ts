import { serve, unknown } from "@/app/(public)/serve";
import { problemDocument } from "@/components/payer/general-documents";
import { stoppedDocument, unsubscribeDocument } from "@/components/payer/unsubscribe-documents";
import { readBody } from "@/lib/http/body";
import { readUnsubscribeToken } from "@/lib/outbox/notifications/unsubscribe";
import { documentResponse } from "@/lib/payer/document";
import { stopMails } from "@/lib/resources/account/notifications";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** Changes nothing: mail programs open links before their readers do. */
  GET: async (request, params) => {
    const token = String(params.token);
    const found = readUnsubscribeToken(token);
    return found ? documentResponse(unsubscribeDocument(token, found.kinds)) : unknown(request, notFound());
  },

  /** Of our page, or of the mail program's own button (RFC 8058). Needs no session: the token is the permission. */
  POST: async (request, params) => {
    const found = readUnsubscribeToken(String(params.token));
    if (!found) return unknown(request, notFound());
    if (!formType.test(request.headers.get("content-type") ?? ""))
      return documentResponse(problemDocument("not_a_form", "en"));
    await readBody(request);
    await stopMails(found);
    return documentResponse(stoppedDocument(found.kinds));
  },
});

/** RFC 8058 lets mail programs choose. The fields say nothing that the token does not. */
const formType = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

const notFound = () => problemDocument("page_unknown", "en");
