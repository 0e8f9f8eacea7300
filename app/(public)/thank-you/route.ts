import { plainThanksDocument } from "@/components/public/general-documents";
import { thanksDocument } from "@/components/public/pay-documents";
import { findPayable, payableState } from "@/lib/payments/payable";
import { documentResponse, seeOther } from "@/lib/public/document";
import { serve } from "../serve";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** `id`: of a paid link, to show what was paid. `for=card`: after an activation. */
  GET: async (request) => {
    const query = new URL(request.url).searchParams;
    const link = await findPayable(query.get("id") ?? "");
    const state = link && payableState(link);
    if (link && state === "Paid") return documentResponse(thanksDocument(link));
    // Nobody is thanked for what is not paid.
    if (link && state !== "Deleted") return seeOther(`/pay?id=${link.id}`);
    return documentResponse(plainThanksDocument(query.get("for") === "card" ? "card" : "payment"));
  },
});
