import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { Callbacks } from "./callbacks";
import type { TestCard } from "./cards";
import { missing } from "./errors";
import fixtures from "./fixtures.json" with { type: "json" };

export const apiVersion = "2026-10-28.endive";

/** The objects that the fake keeps, by the name that they carry in `object`. */
interface Objects {
  account: Stripe.Account;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  "checkout.session": Stripe.Checkout.Session;
  customer: Stripe.Customer;
  event: Stripe.EventBase;
  item: Stripe.LineItem;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  refund: Stripe.Refund;
  setup_intent: Stripe.SetupIntent;
  webhook_endpoint: Stripe.WebhookEndpoint;
}

/** What a session was created with and does not show. */
type SessionPlan = {
  intentData: Stripe.Checkout.SessionCreateParams.PaymentIntentData;
  setupData: Stripe.Checkout.SessionCreateParams.SetupIntentData;
  /** The card that waits for its customer's word at the bank. */
  challenged: string | null;
};

/** A request's answer, as its idempotency key remembers it; null while the request is still executing. */
export type Remembered = { path: string; params: string; at: number; reply: { status: number; body: unknown } | null };

/** The request in whose course something happens; events name it. */
export type Cause = { requestId: string | null; idempotencyKey: string | null };

/** All that one account has; nothing in it is seen by another. */
export class Book {
  readonly account: Stripe.Account;
  readonly secretKey = `sk_test_${token(48)}`;
  readonly customers = new Map<string, Stripe.Customer>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  /** The line items of a session: shown only to those who ask for them. */
  readonly lines = new Map<string, { object: "list"; data: Stripe.LineItem[]; has_more: boolean; url: string }>();
  readonly plans = new Map<string, SessionPlan>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly setups = new Map<string, Stripe.SetupIntent>();
  readonly methods = new Map<string, Stripe.PaymentMethod>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly transactions = new Map<string, Stripe.BalanceTransaction>();
  readonly endpoints = new Map<string, Stripe.WebhookEndpoint>();
  readonly secrets = new Map<string, string>();
  readonly events = new Map<string, Stripe.EventBase>();
  readonly remembered = new Map<string, Remembered>();
  /** The test card behind a payment method, and whether its customer has once confirmed it for later charges. */
  readonly cards = new Map<string, { card: TestCard; confirmed: boolean }>();
  cause: Cause = { requestId: null, idempotencyKey: null };

  constructor(
    readonly clock: () => number,
    readonly callbacks: Callbacks,
    readonly url: string,
    /** Whether an asynchronous capture leaves its fee open for a while, as it does in earnest. */
    readonly lateFees: boolean,
  ) {
    this.account = { ...template("account"), id: `acct_${token(16)}`, created: this.now() };
  }

  /** Seconds, as all of the API's times are. */
  now(): number {
    return Math.floor(this.clock() / 1000);
  }

  /** Whatever has this id, among the objects that others refer to. */
  any(id: string): object | undefined {
    const kinds = [
      this.customers,
      this.intents,
      this.setups,
      this.methods,
      this.charges,
      this.refunds,
      this.transactions,
    ];
    return kinds.map((all) => all.get(id)).find((found) => found !== undefined);
  }

  /** Writes an event and queues it for the endpoints that asked for it. */
  emit(type: Stripe.Event["type"], object: { id: string }): void {
    const endpoints = [...this.endpoints.values()].filter(
      ({ status, enabled_events: wanted }) =>
        status === "enabled" && (wanted.includes("*") || wanted.some((name) => name === type)),
    );
    const { requestId, idempotencyKey } = this.cause;
    const event: Stripe.EventBase = {
      ...template("event"),
      id: `evt_${token(24)}`,
      type,
      api_version: apiVersion,
      created: this.now(),
      pending_webhooks: endpoints.length,
      request: { id: requestId, idempotency_key: idempotencyKey },
      data: { object: structuredClone(object) },
    };
    this.events.set(event.id, event);
    for (const endpoint of endpoints) this.callbacks.add(this, endpoint.id, event);
  }
}

/** A fresh example object to fill in. */
export function template<K extends keyof Objects>(name: K): Objects[K] {
  return structuredClone(fixtures[name]) as unknown as Objects[K];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random letters and digits for an id. */
export function token(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** The id in a field that the package types as an id or the whole object; the books hold ids alone. */
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === "string" ? field : (field?.id ?? null);
}

/** The object with this id. `param` names the parameter with the id, unless it was in the URL. */
export function find<T>(all: ReadonlyMap<string, T>, noun: string, id: string, param?: string): T {
  const found = all.get(id);
  if (!found) throw missing(noun, id, param);
  return found;
}
