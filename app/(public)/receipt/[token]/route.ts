import { languageOf, serve, unknown } from "@/app/(public)/serve";
import { problemDocument } from "@/components/payer/general-documents";
import { receiptDocument } from "@/components/payer/receipt-document";
import { documentResponse } from "@/lib/payer/document";
import { findReceipt } from "@/lib/payer/receipt";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (request, params) => {
    const language = languageOf(request);
    const receipt = await findReceipt(String(params.token), language);
    if (!receipt) return unknown(request, problemDocument("receipt_unknown", language));
    return documentResponse(receiptDocument(receipt));
  },
});
