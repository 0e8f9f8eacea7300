import { serve } from "@/app/(public)/serve";
import { activeDocument } from "@/components/payer/activate-documents";
import { plainThanksDocument } from "@/components/payer/general-documents";
import { thanksDocument } from "@/components/payer/pay-documents";
import { queryOf } from "@/lib/core/incoming";
import { activatableState, findActivatable } from "@/lib/ledger/save-card";
import { documentResponse, seeOther } from "@/lib/payer/document";
import { findPayable, payableState } from "@/lib/payer/payable";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** Query: `id`: a paid link. `token`: of the activation URL at which a card was saved. */
  GET: async (request) => {
    const query = queryOf(request);
    const id = query.get("id");
    if (id) {
      const link = await findPayable(id);
      if (link && payableState(link) === "Paid") return documentResponse(thanksDocument(link));
      return seeOther(`/pay?id=${encodeURIComponent(id)}`);
    }
    const token = query.get("token");
    if (token) {
      const tokenization = await findActivatable(token);
      if (tokenization && activatableState(tokenization) === "active")
        return documentResponse(activeDocument(tokenization, true));
      return seeOther(`/activate/${encodeURIComponent(token)}`);
    }
    return documentResponse(plainThanksDocument());
  },
});
