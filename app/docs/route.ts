import { createElement } from "react";
import { ReferencePage } from "@/components/reference/reference-page";
import { referenceStyle } from "@/components/reference/style";
import { env } from "@/lib/core/env";
import { routeHandler } from "@/lib/http/reply";
import { documentResponse } from "@/lib/payer/document";
import { sections } from "@/lib/resources/endpoints";

/** The API reference: a document without scripts or external files, like the payers' pages. */
export const GET = routeHandler(() =>
  documentResponse({
    status: 200,
    title: "Paydesk API reference",
    style: referenceStyle,
    body: createElement(ReferencePage, { sections, baseUrl: `${env().APP_URL}/api` }),
  }),
);
