import type Stripe from "stripe";
import type { Book } from "./books";
import { answerBank, type Outcome, submitCard } from "./checkout";

type Page = { status: number; html: string } | { status: 303; location: string };

/** Serves the hosted page below /c/pay: the card form and the bank's challenge. */
export function answerPage(
  book: Book,
  session: Stripe.Checkout.Session,
  request: { method: string; bank: boolean; form: URLSearchParams },
): Page {
  const here = `/c/pay/${session.id}`;
  if (session.status !== "open") return { status: 200, html: closed(session) };
  const challenged = book.plans.get(session.id)?.challenged ?? null;
  if (request.bank && challenged === null) return { status: 303, location: here };
  if (request.method === "GET") {
    return { status: 200, html: request.bank ? bank(session) : card(book, session) };
  }
  const typed = request.bank ? null : readForm(request.form, book.clock());
  if (typed && "problem" in typed) return { status: 200, html: card(book, session, typed.problem) };
  const outcome = typed
    ? submitCard(book, session, typed)
    : answerBank(book, session, request.form.get("answer") === "complete");
  return show(book, session, outcome);
}

function show(book: Book, session: Stripe.Checkout.Session, outcome: Outcome): Page {
  if (outcome.status === "complete") return { status: 303, location: outcome.url };
  if (outcome.status === "challenge") return { status: 303, location: `/c/pay/${session.id}/bank` };
  if (outcome.status === "declined") return { status: 200, html: card(book, session, outcome.error.message) };
  return { status: 200, html: closed(session) };
}

function readForm(form: URLSearchParams, now: number) {
  const number = (form.get("number") ?? "").replace(/[\s-]/g, "");
  const expiry = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(form.get("expiry") ?? "");
  const cvc = (form.get("cvc") ?? "").trim();
  const name = (form.get("name") ?? "").trim();
  if (!/^\d{12,19}$/.test(number)) return { problem: "Your card number is incomplete." };
  if (!expiry) return { problem: "Your card's expiration date is incomplete." };
  const expMonth = Number(expiry[1]);
  const expYear = 2000 + Number(expiry[2]);
  if (expMonth < 1 || expMonth > 12) return { problem: "Your card's expiration month is invalid." };
  if (Date.UTC(expYear, expMonth, 1) <= now) return { problem: "Your card's expiration date is in the past." };
  const digits = /^3[47]/.test(number) ? 4 : 3;
  if (!/^\d+$/.test(cvc) || cvc.length !== digits) return { problem: "Your card's security code is incomplete." };
  return { number, expMonth, expYear, cvc, name };
}

function card(book: Book, session: Stripe.Checkout.Session, problem?: string): string {
  const saving = session.mode === "setup";
  const lines = book.lines.get(session.id)?.data ?? [];
  const rows = lines.map((line) => {
    const times = line.quantity === 1 ? "" : ` &times; ${line.quantity}`;
    return `<tr><td>${escapeHtml(line.description ?? "")}${times}</td><td>${money(line.amount_total, line.currency)}</td></tr>`;
  });
  const total = `<p>Total: <strong>${money(session.amount_total ?? 0, session.currency ?? "eur")}</strong></p>`;
  const field = (name: string, label: string, hint: string, more = "") =>
    `<p><label for="${name}">${label}</label><br>` +
    `<input id="${name}" name="${name}" placeholder="${hint}" autocomplete="off" required${more}></p>`;
  return html(
    saving ? "Save your card" : "Pay",
    `${saving ? "<p>Your card is kept for later payments.</p>" : `<table>${rows.join("")}</table>${total}`}
${problem ? `<p role="alert">${escapeHtml(problem)}</p>` : ""}
<form method="post" action="/c/pay/${session.id}">
${field("number", "Card number", "1234 1234 1234 1234", ' inputmode="numeric"')}
${field("expiry", "Expiry", "MM / YY", ' inputmode="numeric"')}
${field("cvc", "CVC", "CVC", ' inputmode="numeric"')}
${field("name", "Name on card", "Full name")}
<p><button type="submit">${saving ? "Save card" : "Pay"}</button></p>
</form>
${session.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Back</a></p>` : ""}`,
  );
}

function bank(session: Stripe.Checkout.Session): string {
  return html(
    "3-D Secure",
    `<p>Your bank asks you to confirm this ${session.mode === "setup" ? "card" : "payment"}.</p>
<form method="post" action="/c/pay/${session.id}/bank">
<button type="submit" name="answer" value="complete">Complete</button>
<button type="submit" name="answer" value="fail">Fail</button>
</form>`,
  );
}

function closed(session: Stripe.Checkout.Session): string {
  if (session.status === "complete") return html("All done", "<p>This payment page was completed already.</p>");
  return html("Expired", "<p>This payment page has expired. Nothing was taken.</p>");
}

/** The page of an unknown session. */
export const unknownPage = (): string => html("Not found", "<p>There is no such payment page.</p>");

function html(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return escapeHtml(format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)));
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
