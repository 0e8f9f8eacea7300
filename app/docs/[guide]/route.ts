import { createElement } from "react";
import { serve } from "@/app/(public)/serve";
import { baseUrl, referenceDocument } from "@/app/docs/documents";
import { problemDocument } from "@/components/payer/general-documents";
import { guideOf } from "@/components/reference/guides/guides";
import { GuidePage } from "@/components/reference/reference-page";
import { testCards } from "@/lib/gateways/sandbox/cards";
import { documentResponse } from "@/lib/payer/document";
import { sections } from "@/lib/resources/endpoints";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: (request, params) => {
    const guide = guideOf(params.guide);
    if (!guide) return documentResponse(problemDocument("page_unknown", "en"));
    return referenceDocument(request, guide.slug, guide.title, (language) =>
      createElement(GuidePage, { guide, testCards, sections, baseUrl: baseUrl(), language }),
    );
  },
});
