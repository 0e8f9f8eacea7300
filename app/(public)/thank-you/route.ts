import { languageOf, readForm, serve, unknown } from "@/app/(public)/serve";
import { activeDocument } from "@/components/payer/activate-documents";
import { plainThanksDocument, problemDocument } from "@/components/payer/general-documents";
import { thanksDocument } from "@/components/payer/pay-documents";
import { clock } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { queryOf } from "@/lib/core/incoming";
import { activatableState, byClockOf, findActivatable } from "@/lib/ledger/save-card";
import { findAfterSave } from "@/lib/payer/card-charges";
import { documentResponse, seeOther } from "@/lib/payer/document";
import { findPayable, type Payable, payableState } from "@/lib/payer/payable";
import { findCardless, tokenizationFor } from "@/lib/periods/cardless";
import { createTokenization } from "@/lib/resources/tokenizations/service";
import { payerTexts } from "@/messages/payer/texts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** Query: `id`: a paid link. `again`: a second payment of it was refused. `token`: of the activation URL at which a card was saved. */
  GET: async (request) => {
    const query = queryOf(request);
    const language = languageOf(request);
    const id = query.get("id");
    if (id) {
      const link = await findPayable(id, language);
      if (!link) return unknown(request, problemDocument("link_unknown", language));
      if (payableState(link) !== "Paid") return seeOther(`/pay?id=${link.id}`);
      return documentResponse(thanksDocument(link, (await cardless(link)) !== null, query.has("again")));
    }
    const token = query.get("token");
    if (token) {
      const tokenization = await findActivatable(token);
      if (!tokenization) return unknown(request, problemDocument("token_unknown", language));
      if (activatableState(tokenization) !== "active") return seeOther(`/activate/${tokenization.token}`);
      return byClockOf(tokenization, async () =>
        documentResponse(activeDocument({ ...tokenization, language }, await findAfterSave(tokenization))),
      );
    }
    return documentResponse(plainThanksDocument(language));
  },

  /** Leads the payer of a period to a page that saves a card for the next ones, if the subscription has none. */
  POST: async (request) => {
    const language = languageOf(request);
    const link = await findPayable(queryOf(request).get("id") ?? "", language);
    if (!link) return unknown(request, problemDocument("link_unknown", language));
    if (!(await readForm(request))) return documentResponse(problemDocument("not_a_form", link.language));
    return clock.ahead(link.clock_ahead, async () => {
      const found = await cardless(link);
      if (!found) return seeOther(`/thank-you?id=${link.id}`);
      if (found.pending_token) return seeOther(`/activate/${found.pending_token}`);
      const { token } = await createTokenization(
        db,
        { businessId: link.business_id, livemode: link.livemode },
        tokenizationFor(found),
      );
      return seeOther(`/activate/${token}`);
    });
  },
});

const cardless = async (link: Payable) =>
  link.subscription_id === null ? null : findCardless(db, link.id, clock.now(), payerTexts[link.language]);
