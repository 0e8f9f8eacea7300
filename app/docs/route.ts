import { createElement } from "react";
import { ReferencePage } from "@/components/reference/reference-page";
import { referenceStyle } from "@/components/reference/style";
import { env } from "@/lib/core/env";
import { type Reply, routeHandler } from "@/lib/http/reply";
import { documentResponse } from "@/lib/payer/document";
import { sections } from "@/lib/resources/endpoints";

let page: Promise<Reply> | undefined;

/** The API reference: a document without scripts or external files, like the payers' pages. Rendered once. */
export const GET = routeHandler(() => {
  page ??= documentResponse({
    status: 200,
    title: "Paydesk API reference",
    style: referenceStyle,
    body: createElement(ReferencePage, { sections, baseUrl: `${env().APP_URL}/api` }),
  });
  return page;
});
