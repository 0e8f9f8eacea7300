import { problemDocument } from "@/components/public/general-documents";
import { receiptDocument } from "@/components/public/receipt-document";
import { findReceipt } from "@/lib/payments/receipt";
import { documentResponse } from "@/lib/public/document";
import { serve } from "../../serve";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (_, { params }) => {
    const receipt = await findReceipt(String((await params).token));
    return documentResponse(receipt ? receiptDocument(receipt) : problemDocument("receipt_unknown"));
  },
});
