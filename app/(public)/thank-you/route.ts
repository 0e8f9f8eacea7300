import { serve } from "@/app/(public)/serve";
import { plainThanksDocument } from "@/components/payer/general-documents";
import { thanksDocument } from "@/components/payer/pay-documents";
import { documentResponse, seeOther } from "@/lib/payer/document";
import { findPayable, payableState } from "@/lib/payer/payable";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** Query: `id`: a paid link. `for=card`: a card was saved. */
  GET: async (request) => {
    const query = new URL(request.url).searchParams;
    const id = query.get("id");
    if (id) {
      const link = await findPayable(id);
      if (link && payableState(link) === "Paid") return documentResponse(thanksDocument(link));
      return seeOther(`/pay?id=${encodeURIComponent(id)}`);
    }
    return documentResponse(plainThanksDocument(query.get("for") === "card" ? "card" : "payment"));
  },
});
