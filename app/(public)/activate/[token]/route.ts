import { activateFormDocument, activeDocument, closedTokenDocument } from "@/components/public/activate-documents";
import { limitedDocument, problemDocument } from "@/components/public/general-documents";
import { noGatewayDocument } from "@/components/public/pay-documents";
import { gatewayFor } from "@/lib/gateways/for-mode";
import { type Activatable, activatableState, activateToken, findActivatable } from "@/lib/payments/activate";
import { countActivation } from "@/lib/payments/limit";
import { parseCard } from "@/lib/public/card-form";
import { documentResponse, safeUrl, seeOther } from "@/lib/public/document";
import { clientOf, readForm, serve } from "../../serve";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** `done`: the payer has just saved the card and goes on to the merchant. */
  GET: async (request, { params }) => {
    const tokenization = await find(params);
    if (!tokenization) return documentResponse(problemDocument("token_unknown"));
    return show(tokenization, new URL(request.url).searchParams.has("done"));
  },

  POST: async (request, { params }) => {
    const form = await readForm(request);
    if (!form) return documentResponse(problemDocument("not_a_form"));
    const tokenization = await find(params);
    if (!tokenization) return documentResponse(problemDocument("token_unknown"));
    const state = activatableState(tokenization);
    // A double click or a second tab ends where the first one does.
    if (state === "active") return leave(tokenization);
    const gateway = gatewayFor(tokenization.livemode);
    if (state !== "pending" || !gateway) return show(tokenization, false);
    const parsed = parseCard(form, gateway);
    const kept = { expiry: (form.get("expiry") ?? "").slice(0, 9), holder: (form.get("holder") ?? "").slice(0, 100) };
    if (!parsed.ok) return documentResponse(activateFormDocument({ tokenization, errors: parsed.errors, kept }, 422));
    const wait = await countActivation(tokenization.id, clientOf(request));
    if (wait > 0) {
      const back = `/activate/${tokenization.token}`;
      return documentResponse(limitedDocument(tokenization.business.name, !tokenization.livemode, wait, back));
    }
    const result = await activateToken(tokenization, gateway, parsed.card);
    if (result.outcome === "declined") {
      return documentResponse(activateFormDocument({ tokenization, kept, declined: result.reason }, 402));
    }
    if (result.outcome === "active") return leave(tokenization);
    const now = (await find(params)) ?? tokenization;
    return activatableState(now) === "active" ? leave(now) : show(now, false);
  },
});

async function find(params: Promise<Record<string, string | string[] | undefined>>): Promise<Activatable | null> {
  const { token } = await params;
  return typeof token === "string" ? findActivatable(token) : null;
}

function show(tokenization: Activatable, done: boolean): Promise<Response> {
  const state = activatableState(tokenization);
  if (state === "active") return documentResponse(activeDocument(tokenization, done));
  if (state !== "pending") return documentResponse(closedTokenDocument(tokenization, state));
  if (!gatewayFor(tokenization.livemode)) return documentResponse(noGatewayDocument(tokenization.business.name));
  return documentResponse(activateFormDocument({ tokenization }));
}

/** On to the merchant's address, by way of a page of ours (docs/decisions/0002), or to the thank-you page. */
function leave(tokenization: Activatable): Response {
  if (safeUrl(tokenization.redirect_url)) return seeOther(`/activate/${tokenization.token}?done=1`);
  return seeOther("/thank-you?for=card");
}
