import { createElement } from "react";
import { ReferencePage } from "@/components/reference/reference-page";
import { routeHandler } from "@/lib/http/reply";
import { sections } from "@/lib/resources/endpoints";
import { baseUrl, referenceDocument } from "./documents";

/** The API reference: a document like the payers' pages, readable without its script. */
export const GET = routeHandler((request) =>
  referenceDocument(request, "", "Reference", (language) =>
    createElement(ReferencePage, { sections, baseUrl: baseUrl(), language }),
  ),
);
