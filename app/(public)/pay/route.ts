import { asPayer, languageOf, readForm, serve, unknown } from "@/app/(public)/serve";
import { closedDocument } from "@/components/payer/closed-document";
import { limitedDocument, problemDocument } from "@/components/payer/general-documents";
import {
  actionDocument,
  changedDocument,
  declinedDocument,
  formDocument,
  inFlightDocument,
  leavingDocument,
  noGatewayDocument,
  offerOf,
  paidDocument,
} from "@/components/payer/pay-documents";
import { merchantOf, type SavingOffer } from "@/components/payer/pay-form";
import { transferDocument } from "@/components/payer/transfer-document";
import { clock } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { type Incoming, queryOf } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { addressOf } from "@/lib/core/network";
import {
  type ActionResult,
  type CardInput,
  type ChargeResult,
  type Gateway,
  isGatewayAway,
} from "@/lib/gateways/gateway";
import { type DeclineReason, isDeclineReason } from "@/lib/gateways/reasons";
import type { Reply } from "@/lib/http/reply";
import { countDecline, mayLookUp, secondsUntilAttempt } from "@/lib/ledger/attempt-limit";
import { payLink } from "@/lib/ledger/charge";
import { assertCompared } from "@/lib/ledger/compare";
import { gatewayFor } from "@/lib/ledger/gateways";
import { cancelAction, reconcilePayment } from "@/lib/ledger/reconcile";
import { findCardCharges } from "@/lib/payer/card-charges";
import { changeSince, parseCard, parseShown, safeFieldsOf } from "@/lib/payer/card-form";
import { documentResponse, seeOther } from "@/lib/payer/document";
import { bankAccountOf, findPayable, formPath, type Payable, payableState, payPath } from "@/lib/payer/payable";
import { recordVisit } from "@/lib/payer/visits";
import { findCardless } from "@/lib/periods/cardless";
import { payerTexts } from "@/messages/payer/texts";

/** The attempt's own request has usually settled it by then. */
const reconcileAfterSeconds = 3;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** `wait`: the payer has just tried to pay. `attempt`: that was declined. `go`: redirect to the gateway's page.
   * `transfer`: how to pay by bank transfer. */
  GET: async (request) => {
    const link = await find(request);
    if (!link) return unknown(request, problemDocument("link_unknown", languageOf(request)));
    return clock.ahead(link.clock_ahead, () => {
      // Not awaited: its failure must not cost the payer the page. The page's own reloads have more parameters.
      if (request.method === "GET" && queryOf(request).size === 1) void recordVisit(link.id);
      return visit(request, link);
    });
  },

  POST: async (request) => {
    const form = await readForm(request);
    if (!form) return documentResponse(problemDocument("not_a_form", languageOf(request)));
    const link = await find(request);
    if (!link) return unknown(request, problemDocument("link_unknown", languageOf(request)));
    return clock.ahead(link.clock_ahead, () => act(request, link, form));
  },
});

async function visit(request: Incoming, found: Payable): Promise<Reply> {
  const query = queryOf(request);
  let link = found;
  let action: ActionResult | null = null;
  if (payableState(link) === "Processing" && request.method === "GET") {
    const result = await asPayer(request, () => reconcileAttempt(link));
    if (result) await noteDecline(link, result, request);
    action = result?.outcome === "action" ? result : null;
    link = (await find(request)) ?? link;
  }
  if (query.has("wait")) {
    const state = payableState(link);
    if (state === "Paid") return seeOther(`/thank-you?id=${link.id}`);
    if (state !== "Processing") return seeOther(payPath(link, { attempt: link.attempt_id ?? "" }));
  }
  if (action && query.has("go")) return documentResponse(leavingDocument(link, action.url));
  return show(link, query.get("attempt"), action, query.has("transfer"));
}

async function act(request: Incoming, link: Payable, form: URLSearchParams): Promise<Reply> {
  if (form.get("action") === "cancel") {
    if (link.attempt_id && link.attempt_status === "requires_action") {
      const result = await cancelAttempt(link.attempt_id);
      if (result) await noteDecline(link, result, request);
    }
    return seeOther(payPath(link, { wait: "1" }));
  }
  const gateway = payableState(link) === "Active" ? await gatewayOf(link) : null;
  return gateway ? pay(link, gateway, form, request) : refuse(link);
}

/** @returns the gateway's answer; null without one: the attempt stays open, and its page says that it cannot be checked */
async function cancelAttempt(id: string): Promise<ChargeResult | null> {
  try {
    return await cancelAction(id);
  } catch (error) {
    if (!isGatewayAway(error)) throw error;
    log.warn({ err: error, payment: id }, "could not cancel a payment at the gateway");
    return null;
  }
}

async function find(request: Incoming): Promise<Payable | null> {
  const query = queryOf(request);
  const link = await findPayable(query.get("id") ?? "", languageOf(request));
  const save = query.get("save");
  if (!link || save === null) return link;
  // Only of a payer who comes back from an attempt: a merchant's address must not tick the box. It may clear it.
  const isBack = query.has("wait") || (link.attempt_id && query.get("attempt") === link.attempt_id);
  return isBack || save === "0" ? { ...link, save_chosen: save === "1" } : link;
}

/**
 * The offer to save the card with which a period is paid; null without a subscription whose next periods need one. Chosen as the payer
 * left it; at first if they had saved a card before.
 */
async function savingOffer(link: Payable): Promise<SavingOffer | null> {
  if (link.subscription_id === null) return null;
  const [cardless, charges] = await Promise.all([
    findCardless(db, link.id, clock.now(), payerTexts[link.language]),
    findCardCharges(link, link.id),
  ]);
  return cardless && { charges, chosen: link.save_chosen ?? cardless.had_card };
}

/** Null if no gateway is connected, or it does not take this amount or currency. */
async function gatewayOf(link: Payable): Promise<Gateway | null> {
  const gateway = await gatewayFor(link).catch((err: unknown) => {
    log.error({ err, account: link.gateway_account_id }, "a gateway account cannot be used");
    return null;
  });
  return gateway?.supportsAmount(link.amount_cents, link.currency) ? gateway : null;
}

/** Counts a decline. A failure is only logged, so that the payer still gets the page. */
async function noteDecline(
  { livemode }: Payable,
  result: { outcome: string; reason?: DeclineReason },
  request: Incoming,
): Promise<void> {
  if (result.outcome !== "declined" || !result.reason) return;
  await countDecline(livemode, addressOf(request), result.reason).catch((err: unknown) =>
    log.warn({ err }, "could not count a decline"),
  );
}

/** @returns the gateway's answer, if the attempt was due for a lookup */
async function reconcileAttempt(link: Payable): Promise<ChargeResult | null> {
  const due = link.attempt_status === "requires_action" || (link.attempt_age ?? 0) > reconcileAfterSeconds;
  if (!link.attempt_id || !due) return null;
  try {
    if (!(await mayLookUp(link.id))) return null;
    return await reconcilePayment(link.attempt_id);
  } catch (error) {
    log.warn({ err: error, payment: link.attempt_id }, "could not ask the gateway about a payment");
    return null;
  }
}

/** @param attempt the attempt after which the payer was redirected here; its decline is shown if it is the latest @param transfer the payer wants to pay by bank transfer */
async function show(
  link: Payable,
  attempt: string | null,
  action: ActionResult | null,
  transfer = false,
): Promise<Reply> {
  const state = payableState(link);
  switch (state) {
    case "Paid":
      return documentResponse(paidDocument(link));
    case "Processing":
      return documentResponse(action ? actionDocument(link, action) : inFlightDocument(link));
    case "Active": {
      const gateway = await gatewayOf(link);
      const bank = bankAccountOf(link);
      // Without a gateway, a transfer is the only way to pay.
      if (bank && (transfer || !gateway)) return documentResponse(await transferDocument(link, bank, gateway !== null));
      if (!gateway) return documentResponse(noGatewayDocument(payerTexts[link.language], merchantOf(link)));
      const reason = link.attempt_id === attempt ? link.attempt_reason : null;
      const props = offerOf(link, gateway.cardForm !== null, await savingOffer(link));
      return documentResponse(isDeclineReason(reason) ? declinedDocument(props, reason) : formDocument(props));
    }
    default:
      return documentResponse(closedDocument(link, state));
  }
}

/** 409 for the second of two payers, else the page of the link's state. */
async function refuse(link: Payable): Promise<Reply> {
  const state = payableState(link);
  if (state === "Paid") return documentResponse(paidDocument(link, true));
  if (state === "Processing") return documentResponse(inFlightDocument(link, 409));
  return show(link, null, null);
}

async function pay(found: Payable, gateway: Gateway, form: URLSearchParams, request: Incoming): Promise<Reply> {
  const t = payerTexts[found.language];
  const save_chosen = form.get("save_card") === "1";
  const saving = await savingOffer({ ...found, save_chosen });
  const link = { ...found, save_chosen: saving ? save_chosen : undefined };
  const props = offerOf(link, gateway.cardForm !== null, saving);
  const shown = parseShown(form);
  if (!shown || changeSince(shown, link)) return documentResponse(changedDocument(props, shown));
  let card: CardInput | null = null;
  if (gateway.cardForm) {
    const parsed = parseCard(form, gateway.cardForm.refuse, t.fields);
    if (!parsed.ok) {
      return documentResponse(formDocument({ ...props, errors: parsed.errors, entered: safeFieldsOf(form) }, 422));
    }
    card = parsed.card;
  }
  const wait = await secondsUntilAttempt(link, addressOf(request));
  if (wait > 0) {
    // Without the last attempt, which may be another payer's.
    return documentResponse(limitedDocument(t, merchantOf(link), wait, formPath(link)));
  }
  const waitPath = payPath(link, { wait: "1" });
  const result = await assertCompared(gateway)
    .then(() => payLink(link, gateway, { card, saveCard: link.save_chosen === true, returnPath: waitPath }, shown))
    .catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
  if (result instanceof ApiError) {
    // Only the merchant can mend it, so that trying again in a few seconds is no use.
    if (result.code === "account_refused") return documentResponse(declinedDocument(props, "gateway_refused"));
    return documentResponse(problemDocument("away", link.language, result.headers));
  }
  switch (result.outcome) {
    case "paid":
      return seeOther(`/thank-you?id=${link.id}`);
    case "declined":
      await noteDecline(link, result, request);
      // A redirect, so that reloading the page does not post the card again.
      return seeOther(payPath(link, { attempt: result.attemptId }));
    case "action":
      // The policy forbids redirecting a form to another origin, so a page of ours leads there.
      return seeOther(isOurs(result.url) ? result.url : payPath(link, { wait: "1", go: "1" }));
    case "in_flight":
      return seeOther(waitPath);
    case "not_begun": {
      const row = await findPayable(link.id, link.language);
      if (!row) return documentResponse(problemDocument("link_unknown", link.language));
      const now = { ...row, save_chosen: link.save_chosen };
      if (payableState(now) !== "Active") return refuse(now);
      if (changeSince(shown, now)) return documentResponse(changedDocument({ ...props, link: now }, shown));
      // Another attempt was open, and has failed since: this card was not charged.
      return documentResponse(declinedDocument({ ...props, link: now }, "processing_error"));
    }
  }
}

const isOurs = (url: string): url is `/${string}` => url.startsWith("/");
