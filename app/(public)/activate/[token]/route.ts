import { asPayer, languageOf, readForm, serve, unknown } from "@/app/(public)/serve";
import {
  activateFormDocument,
  activeDocument,
  closedTokenDocument,
  type LocalizedActivatable,
  leavingToSaveDocument,
  merchantOf,
} from "@/components/payer/activate-documents";
import { limitedDocument, problemDocument } from "@/components/payer/general-documents";
import { noGatewayDocument } from "@/components/payer/pay-documents";
import { type Incoming, queryOf } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { addressOf } from "@/lib/core/network";
import type { PageLanguage } from "@/lib/core/payer-languages";
import { type CardInput, isGatewayAway } from "@/lib/gateways/gateway";
import type { Params, Reply } from "@/lib/http/reply";
import { countCardSave, countDecline, mayLookUp } from "@/lib/ledger/attempt-limit";
import {
  type Activatable,
  activatableState,
  activateToken,
  byClockOf,
  findActivatable,
  refreshSetup,
  setupGateway,
} from "@/lib/ledger/save-card";
import { findAfterSave, findCardCharges } from "@/lib/payer/card-charges";
import { parseCard, safeFieldsOf } from "@/lib/payer/card-form";
import { documentResponse, safeUrl, seeOther } from "@/lib/payer/document";
import { payerTexts } from "@/messages/payer/texts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /**
   * Query: `done`: the payer has just saved the card. `back`: the payer returns from the gateway's page.
   * `go`: redirect to the gateway's page.
   */
  GET: async (request, params) => {
    const tokenization = await find(params, languageOf(request));
    if (!tokenization) return unknown(request, problemDocument("token_unknown", languageOf(request)));
    return byClockOf(tokenization, () => visit(request, tokenization));
  },

  POST: async (request, params) => {
    const form = await readForm(request);
    if (!form) return documentResponse(problemDocument("not_a_form", languageOf(request)));
    const tokenization = await find(params, languageOf(request));
    if (!tokenization) return unknown(request, problemDocument("token_unknown", languageOf(request)));
    return byClockOf(tokenization, () => save(tokenization, form, addressOf(request)));
  },
});

async function visit(request: Incoming, found: LocalizedActivatable): Promise<Reply> {
  const query = queryOf(request);
  let tokenization = found;
  let url: string | null = null;
  if (tokenization.setup_ref && activatableState(tokenization) === "pending" && request.method === "GET") {
    url = await asPayer(request, () => refreshSetupUrl(found.id));
    tokenization = (await find({ token: found.token }, found.language)) ?? tokenization;
    if (query.has("back") && activatableState(tokenization) === "active") return redirectAfterSave(tokenization);
  }
  if (url && query.has("go")) {
    return documentResponse(leavingToSaveDocument(tokenization, url, await findCardCharges(tokenization)));
  }
  return show(tokenization, query.has("done"));
}

async function save(tokenization: LocalizedActivatable, form: URLSearchParams, client: string | null): Promise<Reply> {
  const state = activatableState(tokenization);
  // The second request of a double click, or a second tab.
  if (state === "active") return redirectAfterSave(tokenization);
  const gateway = await setupGateway(tokenization);
  if (state !== "pending" || !gateway) return show(tokenization, false);
  const charges = await findCardCharges(tokenization);
  const props = { tokenization, charges, cardForm: gateway.cardForm !== null };
  const entered = safeFieldsOf(form);
  const t = payerTexts[tokenization.language];
  let card: CardInput | null = null;
  if (gateway.cardForm) {
    const parsed = parseCard(form, gateway.cardForm.refuse, t.fields);
    if (!parsed.ok) return documentResponse(activateFormDocument({ ...props, errors: parsed.errors, entered }, 422));
    card = parsed.card;
  }
  const wait = await countCardSave(tokenization, client);
  if (wait > 0) {
    const back = `/activate/${tokenization.token}`;
    return documentResponse(limitedDocument(t, merchantOf(tokenization), wait, back));
  }
  const result = await activateToken(tokenization, gateway, card).catch((error: unknown) => {
    if (!isGatewayAway(error)) throw error;
    log.warn({ err: error, tokenization: tokenization.id }, "could not save a card at the gateway");
    return null;
  });
  if (!result) return documentResponse(problemDocument("card_away", tokenization.language, { "Retry-After": "10" }));
  switch (result.outcome) {
    case "declined":
      await countDecline(tokenization.livemode, client, result.reason);
      return documentResponse(activateFormDocument({ ...props, entered, declined: result.reason }, 402));
    case "action":
      return seeOther(`/activate/${tokenization.token}?go=1`);
    case "active":
      return redirectAfterSave(tokenization);
    case "not_pending": {
      const now = (await find({ token: tokenization.token }, tokenization.language)) ?? tokenization;
      return activatableState(now) === "active" ? redirectAfterSave(now) : show(now, false);
    }
  }
}

/** @returns the URL at which the payer continues; null if the setup has ended or the gateway does not answer */
async function refreshSetupUrl(id: string): Promise<string | null> {
  try {
    return (await mayLookUp(id)) ? await refreshSetup(id) : null;
  } catch (error) {
    log.warn({ err: error, tokenization: id }, "could not ask the gateway about a card");
    return null;
  }
}

/** @param language the browser's, because a tokenization has none */
async function find({ token }: Params, language: PageLanguage): Promise<LocalizedActivatable | null> {
  const found = typeof token === "string" ? await findActivatable(token) : null;
  return found && { ...found, language };
}

async function show(tokenization: LocalizedActivatable, done: boolean): Promise<Reply> {
  const state = activatableState(tokenization);
  if (state === "active")
    return documentResponse(activeDocument(tokenization, done ? await findAfterSave(tokenization) : null));
  if (state !== "pending") return documentResponse(closedTokenDocument(tokenization, state));
  const gateway = await setupGateway(tokenization);
  if (!gateway) {
    const t = payerTexts[tokenization.language];
    return documentResponse(noGatewayDocument(t, merchantOf(tokenization), t.activate));
  }
  const charges = await findCardCharges(tokenization);
  return documentResponse(activateFormDocument({ tokenization, charges, cardForm: gateway.cardForm !== null }));
}

/** Redirects to the merchant through a page of ours (docs/decisions/0002), or to the thank-you page. */
function redirectAfterSave(tokenization: Activatable): Reply {
  if (safeUrl(tokenization.redirect_url)) return seeOther(`/activate/${tokenization.token}?done=1`);
  return seeOther(`/thank-you?token=${tokenization.token}`);
}
