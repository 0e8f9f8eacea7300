import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { Callbacks } from "./callbacks";
import type { TestCard } from "./cards";
import { missing } from "./errors";
import fixtures from "./fixtures.json" with { type: "json" };

export const apiVersion = "2026-10-28.endive";

/** The stored objects, by their `object` field. */
interface Objects {
  account: Stripe.Account;
  balance: Stripe.Balance;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  "checkout.session": Stripe.Checkout.Session;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  event: Stripe.EventBase;
  item: Stripe.LineItem;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payout: Stripe.Payout;
  refund: Stripe.Refund;
  setup_intent: Stripe.SetupIntent;
  webhook_endpoint: Stripe.WebhookEndpoint;
}

/** Parameters of a session that its object does not show. */
type SessionPlan = {
  intentData: Stripe.Checkout.SessionCreateParams.PaymentIntentData;
  setupData: Stripe.Checkout.SessionCreateParams.SetupIntentData;
  /** The card whose 3-D Secure challenge is open. */
  challenged: string | null;
};

/** The stored response of an idempotency key; null while the request is executing. */
export type Remembered = { path: string; params: string; at: number; reply: { status: number; body: unknown } | null };

/** The request that causes an event. */
export type Cause = { requestId: string | null; idempotencyKey: string | null };

/** All objects of one account, invisible to other accounts. */
export class Book {
  readonly account: Stripe.Account;
  readonly secretKey: string;
  readonly customers = new Map<string, Stripe.Customer>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  /** A session's line items: only shown when expanded. */
  readonly lines = new Map<string, { object: "list"; data: Stripe.LineItem[]; has_more: boolean; url: string }>();
  readonly plans = new Map<string, SessionPlan>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly setups = new Map<string, Stripe.SetupIntent>();
  readonly methods = new Map<string, Stripe.PaymentMethod>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly transactions = new Map<string, Stripe.BalanceTransaction>();
  readonly payouts = new Map<string, Stripe.Payout>();
  /** The payout that has paid out a balance transaction. */
  readonly paidBy = new Map<string, string>();
  readonly endpoints = new Map<string, Stripe.WebhookEndpoint>();
  readonly secrets = new Map<string, string>();
  readonly events = new Map<string, Stripe.EventBase>();
  readonly remembered = new Map<string, Remembered>();
  /** The test card of a payment method, and whether its customer has authenticated it for off-session charges. */
  readonly cards = new Map<string, { card: TestCard; confirmed: boolean }>();
  cause: Cause = { requestId: null, idempotencyKey: null };

  constructor(
    readonly clock: () => number,
    readonly callbacks: Callbacks,
    readonly url: string,
    /** Whether an asynchronous capture has no fee until `settleFees`, like real Stripe. */
    readonly lateFees: boolean,
    readonly livemode: boolean,
    /** The currency of its balance. Null: each charge stays in its own. */
    readonly settlesIn: string | null = null,
  ) {
    this.secretKey = `sk_${livemode ? "live" : "test"}_${token(48)}`;
    this.account = { ...template("account"), id: `acct_${token(16)}`, created: this.now() };
    const { settings } = this.account;
    // The longest prefix that an account may have.
    if (settings?.card_payments) settings.card_payments.statement_descriptor_prefix = "PAYDESKDEV";
  }

  /** Unix time in seconds. */
  now(): number {
    return Math.floor(this.clock() / 1000);
  }

  /** The object with this id, of any expandable type. */
  any(id: string): object | undefined {
    const kinds = [
      this.customers,
      this.intents,
      this.setups,
      this.methods,
      this.charges,
      this.refunds,
      this.transactions,
      this.payouts,
      this.disputes,
    ];
    return kinds.map((all) => all.get(id)).find((found) => found !== undefined);
  }

  /** Stores an event and queues it for the endpoints that subscribe to it. */
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

/** A copy of the example object, to fill in. */
export function template<K extends keyof Objects>(name: K): Objects[K] {
  return structuredClone(fixtures[name]) as unknown as Objects[K];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function token(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** The id in a field typed as an id or an object. The books store only ids. */
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === "string" ? field : (field?.id ?? null);
}

/** Finds an object. `param` names the parameter with the id; undefined if it was in the URL. */
export function find<T>(all: ReadonlyMap<string, T>, noun: string, id: string, param?: string): T {
  const found = all.get(id);
  if (!found) throw missing(noun, id, param);
  return found;
}
