import { serve } from "@/app/(public)/serve";
import { problemDocument } from "@/components/payer/general-documents";
import { receiptDocument } from "@/components/payer/receipt-document";
import { documentResponse } from "@/lib/payer/document";
import { findReceipt } from "@/lib/payer/receipt";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (_, params) => {
    const receipt = await findReceipt(String(params.token));
    return documentResponse(receipt ? receiptDocument(receipt) : problemDocument("receipt_unknown"));
  },
});
