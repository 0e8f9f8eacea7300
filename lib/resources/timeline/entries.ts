import { formatMoney } from "@/lib/core/money";
import { type ManualMethod, methodNames } from "@/lib/core/payment-methods";
import { declinesForStaff, disputeReasons, isDeclineReason, refundFailures } from "@/lib/gateways/reasons";
import { wallTime } from "@/lib/periods/calendar";
import type { DropReason } from "@/lib/resources/emails/contract";
import type { EventType } from "@/lib/resources/events/types";

interface Words {
  text: string;
  detail: string | null;
}

type Data = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function money({ amount_cents, currency }: Data): string {
  return typeof amount_cents === "number" && typeof currency === "string" ? formatMoney(amount_cents, currency) : "";
}

const card = ({ card }: Data): string | null => {
  const { brand, last4, exp_month, exp_year } = (card ?? {}) as Data;
  if (typeof last4 !== "string") return null;
  const name = text(brand);
  const saved = typeof exp_month === "number" && typeof exp_year === "number";
  const expiry = saved ? ` (${String(exp_month).padStart(2, "0")}/${String(exp_year).slice(-2)})` : "";
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ending in ${last4}${expiry}`;
};

const reasonOf = ({ reason }: Data): string | null => (isDeclineReason(reason) ? declinesForStaff[reason] : null);

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** "20 Nov 2026", of YYYY-MM-DD. */
const dayWords = (date: string): string => (date ? day.format(new Date(date)) : "");

/** The same, of the day of an instant in a time zone. */
const dayOf = (instant: string, timezone: string): string =>
  instant ? dayWords(wallTime(new Date(instant), timezone).slice(0, 10)) : "";

/** "Bank transfer, 20 Nov 2026, Statement 47" */
const received = ({ method, paid_on, reference }: Data): string =>
  [methodNames[text(method) as ManualMethod] ?? "", dayWords(text(paid_on)), text(reference)]
    .filter(Boolean)
    .join(", ");

function failureOf({ failure_reason: reason }: Data): string | null {
  return typeof reason === "string" && reason in refundFailures
    ? refundFailures[reason as keyof typeof refundFailures]
    : null;
}

const isInquiry = ({ status }: Data): boolean => text(status).startsWith("inquiry_");

const disputeReasonOf = ({ reason }: Data): string | null =>
  typeof reason === "string" && reason in disputeReasons ? disputeReasons[reason as keyof typeof disputeReasons] : null;

const disputeStates: Record<string, string> = {
  inquiry_needs_response: "the bank has a question and waits for your answer",
  inquiry_under_review: "the bank reads your answer",
  needs_response: "the bank has the money and waits for your answer",
  under_review: "the bank decides",
};

const words = (text: string, detail: string | null = null): Words => ({ text, detail });

const states: Record<string, string> = { Active: "active", Inactive: "inactive" };

const wordsOf: Record<EventType, (data: Data, timezone: string) => Words> = {
  "payment_link.created": (data) => words(`Payment link for ${money(data)} created`),
  "payment_link.updated": (data) =>
    words(
      `Payment link changed: ${money(data)}, ${states[text(data.status)] ?? text(data.status)}`,
      data.awaiting_transfer_since ? "Awaiting a bank transfer." : null,
    ),
  "payment_link.awaiting_payer": (data) =>
    words(`Payer asked to pay ${money(data)}`, "No saved card could be charged."),
  "payment_link.paid": (data) => words(`Paid: ${money(data)}`),
  "payment_link.expired": () => words("Expired unpaid"),
  "payment_link.deleted": () => words("Payment link deleted"),
  "payment.succeeded": (data) =>
    data.manual
      ? words(`Marked as paid: ${money(data)}`, received(data.manual as Data))
      : words(`Payment of ${money(data)} succeeded`, card(data)),
  "payment.failed": (data) => words(`Payment of ${money(data)} failed`, reasonOf(data)),
  "payment.mismatch": (data) =>
    words(
      `Gateway took the payment of ${money(data)} after all`,
      "Staff had recorded it as failed. If the payer has paid again, refund it at the gateway.",
    ),
  "payment.refunded": (data) =>
    words(`Refunded: ${money({ ...data, amount_cents: Math.round(Number(data.refunded_amount) * 100) })} in total`),
  "payment.updated": (data) => words(`Metadata or notes of the payment of ${money(data)} changed`),
  "payment.reversed": (data) =>
    words(`Payment of ${money(data)} reversed`, text((data.manual as Data | null)?.reversal_reason) || null),
  "refund.updated": (data) => words(`Metadata or notes of the refund of ${money(data)} changed`),
  "refund.failed": (data) => words(`Refund of ${money(data)} failed`, failureOf(data)),
  "dispute.created": (data) =>
    words(isInquiry(data) ? `Inquiry about ${money(data)}` : `Disputed: ${money(data)}`, disputeReasonOf(data)),
  "dispute.updated": (data) => words(`Dispute changed: ${disputeStates[text(data.status)] ?? text(data.status)}`),
  "dispute.won": (data) => words(`Dispute won: ${money(data)}`, "The money comes back."),
  "dispute.lost": (data) => words(`Dispute lost: ${money(data)}`, "The payer’s bank keeps the money."),
  "dispute.closed": (data) => words(isInquiry(data) ? "Inquiry closed" : "Dispute prevented", "No money was taken."),
  "payout.created": (data) => words(`Payout of ${money(data)} started`),
  "payout.paid": (data) => words(`Payout of ${money(data)} paid`),
  "payout.failed": (data) => words(`Payout of ${money(data)} failed`),
  "tokenization.created": () => words("Tokenization created"),
  "tokenization.updated": () => words("E-mail, metadata or notes changed"),
  "tokenization.activated": (data) => words("Card saved", card(data)),
  "tokenization.declined": (data) => words("Card declined for good", reasonOf({ reason: data.decline_reason })),
  "tokenization.revoked": () => words("Card revoked"),
  "tokenization.expired": () => words("Activation page expired"),
  "subscription.created": () => words("Subscription created"),
  "subscription.updated": () => words("Subscription changed"),
  "subscription.activated": () => words("Activated: first period paid"),
  "subscription.renewed": () => words("Period paid"),
  "subscription.renewal_upcoming": () => words("Renewal notice queued"),
  "subscription.card_expiring": () => words("Saved card expires before the next charge"),
  "subscription.price_changing": ({ price_change, package: pkg }, timezone) => {
    const change = (price_change ?? {}) as Data;
    return words(
      `New price announced: ${money({ ...change, currency: ((pkg ?? {}) as Data).currency })}`,
      `From the period that begins on ${dayOf(text(change.from), timezone)}.`,
    );
  },
  "subscription.past_due": () => words("Past due", "A charge failed, or a period is overdue."),
  "subscription.recovered": () => words("Active again"),
  "subscription.unpaid": () => words("Unpaid", "All retries failed. No new period begins."),
  "subscription.paused": ({ paused_reason }) =>
    words("Paused", paused_reason === "dispute" ? "A payment is disputed." : null),
  "subscription.resumed": () => words("Resumed"),
  "subscription.canceled": () => words("Cancelled"),
  "subscription.completed": () => words("Completed after its last period"),
  "subscription.deleted": () => words("Deleted"),
  "package.created": () => words("Package created"),
  "package.updated": () => words("Package changed"),
  "package.canceled": () => words("Package cancelled"),
  "package.deleted": () => words("Package deleted"),
  "customer.updated": () => words("Customer changed"),
  "customer.email_changed": (data) => words("E-mail changed", `Previously ${text(data.previous_email)}`),
  "gateway_account.broken": () => words("Gateway refuses the account’s key", "Reconnect the account."),
  "gateway_account.restored": () => words("Gateway accepts the account’s key again"),
};

/** @param timezone the business's, for the days of instants */
export function eventWords(type: string, data: Data, timezone = "UTC"): Words {
  return type in wordsOf ? wordsOf[type as EventType](data, timezone) : words(type);
}

const templates: Record<string, string> = {
  payment_link: "Payment link",
  receipt: "Receipt",
  refund: "Refund",
  payment_failed: "Payment failed",
  renewal_notice: "Renewal notice",
  card_expiring: "Card expiring",
  price_changing: "Price changing",
  subscription_canceled: "Subscription cancelled",
};

const dropped: Record<DropReason, string> = {
  link_deleted: "the link had been deleted",
  link_paid: "the link had been paid",
  link_inactive: "the link had been deactivated",
  link_expired: "the link had expired",
  subscription_ended: "the subscription had ended",
  subscription_paused: "the subscription had been paused",
  charge_passed: "the day of the charge had passed",
  card_missing: "the payer had no usable card",
  card_replaced: "the payer had saved another card",
  price_change_withdrawn: "the price had changed again",
  not_wanted: "the member had turned these e-mails off, had left, or had not confirmed the address",
  no_gateway: "no gateway is connected in live mode",
  over_limit: "the business or the recipient was over the limit of e-mails for three days",
};

export interface MailFacts {
  to: string;
  status: string;
  /** The reason, if it is dropped. */
  error: string | null;
  livemode: boolean;
}

export function mailWords(template: string, { to, status, error, livemode }: MailFacts): Words {
  const name = templates[template] ?? template;
  if (status === "dropped") return words(`“${name}” not sent: ${dropped[error as DropReason]}`);
  if (status === "sent") return words(`“${name}” sent to ${to}`);
  if (status === "outbox") return words(`“${name}” for ${to} not sent (${livemode ? "no mail server" : "test mode"})`);
  if (status === "failed") return words(`“${name}” could not be sent to ${to}`, error);
  return words(`“${name}” to ${to} queued`, error);
}

/** A delivery to a webhook endpoint. Of its address the host alone: the rest can hold a secret. */
export function webhookWords(event: string, address: string, status: string, attempts: number): Words {
  const url = URL.canParse(address) ? new URL(address).host : "";
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (status === "succeeded") return words(`${event} delivered to ${url}`);
  if (status === "failed") return words(`${event} not delivered to ${url}`, `Given up after ${tries}.`);
  return words(
    `${event} to ${url} pending`,
    attempts > 0 ? `${attempts} failed ${attempts === 1 ? "attempt" : "attempts"}.` : null,
  );
}

const attempts: Record<string, string> = {
  sending: "in progress",
  requires_action: "waiting for the payer",
  unknown: "unknown: waiting for the gateway",
};

export function attemptWords(status: string, cents: number, currency: string): Words {
  return words(`Payment of ${formatMoney(cents, currency)} ${attempts[status] ?? status}`);
}

export const visitWords = (visits: number): Words =>
  words(visits === 1 ? "Payer opened the payment page" : `Payer opened the payment page ${visits} times`);
