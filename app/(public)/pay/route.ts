import { limitedDocument, problemDocument } from "@/components/public/general-documents";
import {
  challengeDocument,
  changedDocument,
  closedDocument,
  declinedDocument,
  formDocument,
  inFlightDocument,
  noGatewayDocument,
  paidDocument,
} from "@/components/public/pay-documents";
import { gatewayFor } from "@/lib/gateways/for-mode";
import { type Gateway, isDeclineReason } from "@/lib/gateways/gateway";
import { log } from "@/lib/log";
import { payLink } from "@/lib/payments/charge";
import { mayBegin } from "@/lib/payments/limit";
import { findPayable, type Payable, payableState } from "@/lib/payments/payable";
import { cancelChallenge, reconcilePayment } from "@/lib/payments/reconcile";
import { parseCard, parseShown } from "@/lib/public/card-form";
import { documentResponse, seeOther } from "@/lib/public/document";
import { clientOf, readForm, serve } from "../serve";

/** Seconds after which a visit asks the gateway about an attempt in flight: its own request has usually ended by then. */
const askAfter = 3;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  /** `wait`: the payer has just tried to pay. `attempt`: it was declined. */
  GET: async (request) => {
    const query = new URL(request.url).searchParams;
    let link = await find(request);
    if (!link) return documentResponse(problemDocument("link_unknown"));
    let challenge: string | null = null;
    if (payableState(link) === "Processing" && request.method === "GET") {
      challenge = await ask(link);
      link = (await find(request)) ?? link;
    }
    if (query.has("wait")) {
      const state = payableState(link);
      if (state === "Paid") return seeOther(`/thank-you?id=${link.id}`);
      if (state !== "Processing") return seeOther(`/pay?id=${link.id}&attempt=${link.attempt_id ?? ""}`);
    }
    return show(link, query.get("attempt"), challenge);
  },

  POST: async (request) => {
    const form = await readForm(request);
    if (!form) return documentResponse(problemDocument("not_a_form"));
    const link = await find(request);
    if (!link) return documentResponse(problemDocument("link_unknown"));
    if (form.get("action") === "cancel") {
      if (link.attempt_id && link.attempt_status === "requires_action") await cancelChallenge(link.attempt_id);
      return seeOther(`/pay?id=${link.id}&wait=1`);
    }
    const gateway = gatewayFor(link.livemode);
    if (payableState(link) !== "Active" || !gateway) return refuse(link);
    return pay(link, gateway, form, clientOf(request));
  },
});

function find(request: Request): Promise<Payable | null> {
  return findPayable(new URL(request.url).searchParams.get("id") ?? "");
}

/** Asks the gateway about the attempt in flight. Gives the bank's page when the payer is to confirm there. */
async function ask(link: Payable): Promise<string | null> {
  const due = link.attempt_status === "requires_action" || (link.attempt_age ?? 0) > askAfter;
  if (!link.attempt_id || !due) return null;
  try {
    const result = await reconcilePayment(link.attempt_id);
    return result?.outcome === "challenge" ? result.url : null;
  } catch (error) {
    log.warn({ err: error, payment: link.attempt_id }, "could not ask the gateway about a payment");
    return null;
  }
}

/** The link's state as a page. `attempt` is the declined attempt that the payer comes from, if it is the last one. */
function show(link: Payable, attempt: string | null, challenge: string | null): Promise<Response> {
  const state = payableState(link);
  switch (state) {
    case "Paid":
      return documentResponse(paidDocument(link));
    case "Processing":
      return documentResponse(challenge ? challengeDocument(link, challenge) : inFlightDocument(link));
    case "Active": {
      if (!gatewayFor(link.livemode)) return documentResponse(noGatewayDocument(link.business_name));
      const reason = link.attempt_id === attempt ? link.attempt_reason : null;
      return documentResponse(isDeclineReason(reason) ? declinedDocument(link, reason) : formDocument({ link }));
    }
    default:
      return documentResponse(closedDocument(link, state));
  }
}

/** The link can not be paid as it is: 409 for somebody who came second, else its own page. */
function refuse(link: Payable): Promise<Response> {
  const state = payableState(link);
  if (state === "Paid") return documentResponse(paidDocument(link, true));
  if (state === "Processing") return documentResponse(inFlightDocument(link, 409));
  return show(link, null, null);
}

async function pay(link: Payable, gateway: Gateway, form: URLSearchParams, client: string | null): Promise<Response> {
  const shown = parseShown(form);
  if (shown?.amountCents !== link.amount_cents || shown.currency !== link.currency) {
    return documentResponse(changedDocument(link));
  }
  const parsed = parseCard(form, gateway);
  if (!parsed.ok) {
    const kept = { expiry: (form.get("expiry") ?? "").slice(0, 9), holder: (form.get("holder") ?? "").slice(0, 100) };
    return documentResponse(formDocument({ link, errors: parsed.errors, kept }, 422));
  }
  const wait = await mayBegin(link.id, client);
  if (wait > 0) {
    return documentResponse(limitedDocument(link.business_name, !link.livemode, wait, `/pay?id=${link.id}`));
  }
  const result = await payLink(link, gateway, parsed.card, shown);
  switch (result.outcome) {
    case "paid":
      return seeOther(`/thank-you?id=${link.id}`);
    case "declined":
      // To a page that a reload does not send again.
      return seeOther(`/pay?id=${link.id}&attempt=${result.attemptId}`);
    case "challenge":
      return seeOther(result.url);
    case "in_flight":
      return seeOther(`/pay?id=${link.id}&wait=1`);
    case "not_begun": {
      const now = await findPayable(link.id);
      if (!now) return documentResponse(problemDocument("link_unknown"));
      return payableState(now) === "Active" ? documentResponse(changedDocument(now)) : refuse(now);
    }
  }
}
