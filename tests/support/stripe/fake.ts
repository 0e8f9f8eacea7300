import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { Book, idOf } from "./books";
import { Callbacks } from "./callbacks";
import { settleFees } from "./charging";
import { answerBank, type Outcome, submitCard } from "./checkout";
import { type Disputing, moveDispute, openDispute } from "./disputes";
import { type FaultRule, Faults, seeded } from "./faults";
import type { CardForm } from "./methods";
import { answerPage, unknownPage } from "./page";
import { adjust, endPayout, payOut, setReconciliation } from "./payouts";
import { settleRefunds } from "./refunds";
import { answerApi, bodyOf, type LoggedRequest } from "./server";
import { expireDue } from "./sessions";

type Money = {
  paymentIntent: string;
  amount: number;
  currency: string;
  metadata: Record<string, string>;
  refunded: number;
};

export interface StripeFake {
  url: string;
  host: string;
  port: number;
  /** Creates an account with a secret key of test or live mode. Accounts do not see each other's objects. */
  account(mode?: "test" | "live", options?: { settlesIn?: string }): { id: string; secretKey: string };
  /** Stripe's own client of an account, as other programs of the merchant use it. */
  client(secretKey: string, options?: Stripe.StripeConfig): Stripe;
  /** Makes requests fail: one, unless `times` or `share` says otherwise. @returns removes the rule */
  fault(rule: FaultRule): () => void;
  /** Refuses connections while `work` runs. */
  withoutConnections<T>(work: () => Promise<T>): Promise<T>;
  /** Every API request, in the order of the responses. */
  requests: LoggedRequest[];
  /** Charges that moved money. */
  charges(accountId?: string): Money[];
  /** The account's balance transactions, oldest first. */
  transactions(accountId: string): Stripe.BalanceTransaction[];
  /** Pays out what each account holds. @returns the payouts' ids */
  payOut(accountId: string): string[];
  endPayout(accountId: string, payoutId: string, status: "in_transit" | "paid" | "failed", trace?: string): void;
  /** Says whether Stripe lists the payout's transactions yet. */
  setReconciliation(accountId: string, payoutId: string, status: "in_progress" | "completed"): void;
  /** Books a fee or another change of the balance. */
  adjust(accountId: string, kind: "fee" | "other_adjustment", amount: number, currency: string): void;
  callbacks: Pick<Callbacks, "paused" | "pending" | "deliver" | "waitIdle">;
  /** Plays the payer on the hosted page without a browser. */
  payer: {
    complete(sessionId: string, card: CardForm): Outcome;
    approve(sessionId: string): Outcome;
    reject(sessionId: string): Outcome;
  };
  /** Settles refunds by their cards, all or those of a payment intent. */
  settleRefunds(paymentIntent?: string): void;
  /** Plays the payer's bank. */
  bank: {
    /** The disputes of a payment intent, by id. */
    disputes(paymentIntent: string): { id: string; status: string; reason: string }[];
    dispute(paymentIntent: string, how: Disputing & { amount?: number }): string;
    move(disputeId: string, status: Stripe.Dispute.Status): void;
  };
  /** With `lateFees`: books the fees of all charges and sends charge.updated. */
  settleFees(): void;
  /** Advances the fake's clock: sessions and idempotency keys expire. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/**
 * A fake Stripe with its own books, for tests of the driver over HTTP: declines, lost responses, replayed keys,
 * reordered events. It refuses parameters that it does not implement.
 */
export async function startStripeFake(
  options: {
    port?: number;
    /** Seed of random choices, such as a fault's share. */
    seed?: number;
    /** Whether charges have no balance transaction until settleFees(), like real Stripe. */
    lateFees?: boolean;
  } = {},
): Promise<StripeFake> {
  const books: Book[] = [];
  const requests: LoggedRequest[] = [];
  const faults = new Faults(seeded(options.seed ?? 1));
  const callbacks = new Callbacks(seeded);
  let ahead = 0;
  const expireAll = () => {
    for (const book of books) expireDue(book);
  };
  const setting = { faults, log: requests, bookOf: (key: string) => books.find(({ secretKey }) => secretKey === key) };
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    expireAll();
    if (req.url?.startsWith("/c/pay/")) await showPage(books, req, res);
    else await answerApi(req, res, setting);
  };
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      // Shows errors of the fake itself, because callers see only a 500.
      console.error(error);
      const message = `the fake failed: ${error instanceof Error ? error.message : String(error)}`;
      if (!res.headersSent) res.writeHead(501, { "Content-Type": "application/json" });
      res.end(JSON.stringify({ error: { type: "api_error", message } }));
    });
  });
  const host = "127.0.0.1";
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://${host}:${port}`;
  const timer = setInterval(expireAll, 1000).unref();

  const bookOf = (accountId: string): Book => {
    const found = books.find(({ account }) => account.id === accountId);
    if (!found) throw new Error(`No such account: ${accountId}`);
    return found;
  };
  const open = (id: string) => {
    expireAll();
    const found = findSession(books, id);
    if (!found) throw new Error(`No such session: ${id}`);
    return found;
  };

  return {
    url,
    host,
    port,
    account: (mode = "test", { settlesIn } = {}) => {
      const book = new Book(
        () => Date.now() + ahead,
        callbacks,
        url,
        options.lateFees ?? false,
        mode === "live",
        settlesIn,
      );
      books.push(book);
      return { id: book.account.id, secretKey: book.secretKey };
    },
    client: (secretKey, options = {}) => new Stripe(secretKey, { host, port, protocol: "http", ...options }),
    fault: (rule) => faults.add(rule),
    withoutConnections: async (work) => {
      server.close();
      server.closeAllConnections();
      await sleep(50); // until clients know that their idle connections are closed
      try {
        return await work();
      } finally {
        server.listen(port, host);
        await once(server, "listening");
      }
    },
    requests,
    charges: (accountId) =>
      books.filter(({ account }) => accountId === undefined || account.id === accountId).flatMap(moneyOf),
    transactions: (accountId) =>
      books.filter(({ account }) => account.id === accountId).flatMap((book) => [...book.transactions.values()]),
    payOut: (accountId) => payOut(bookOf(accountId)).map(({ id }) => id),
    endPayout: (accountId, ...ended) => endPayout(bookOf(accountId), ...ended),
    setReconciliation: (accountId, ...changed) => setReconciliation(bookOf(accountId), ...changed),
    adjust: (accountId, kind, amount, currency) => {
      const type = kind === "fee" ? "stripe_fee" : "adjustment";
      adjust(bookOf(accountId), { type, reporting_category: kind, amount, currency });
    },
    callbacks,
    payer: {
      complete: (id, card) => {
        const { book, session } = open(id);
        return submitCard(book, session, card);
      },
      approve: (id) => {
        const { book, session } = open(id);
        return answerBank(book, session, true);
      },
      reject: (id) => {
        const { book, session } = open(id);
        return answerBank(book, session, false);
      },
    },
    settleRefunds: (paymentIntent) => {
      for (const book of books) settleRefunds(book, paymentIntent);
    },
    bank: {
      disputes: (intent) =>
        books.flatMap(({ disputes }) => [...disputes.values()].filter((one) => idOf(one.payment_intent) === intent)),
      dispute: (intent, how) => {
        for (const book of books) {
          const charge = book.charges.get(idOf(book.intents.get(intent)?.latest_charge) ?? "");
          if (charge) return openDispute(book, charge, how).id;
        }
        throw new Error(`No such charge: ${intent}`);
      },
      move: (id, status) => {
        for (const book of books) if (book.disputes.has(id)) moveDispute(book, id, status);
      },
    },
    settleFees: () => {
      for (const book of books) settleFees(book);
    },
    advance: (ms) => {
      ahead += ms;
      expireAll();
    },
    close: async () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      await callbacks.close();
    },
  };
}

async function showPage(books: readonly Book[], req: IncomingMessage, res: ServerResponse): Promise<void> {
  const match = /^\/c\/pay\/(\w+)(\/bank)?$/.exec(new URL(req.url ?? "/", "http://localhost").pathname);
  const form = new URLSearchParams(await bodyOf(req));
  const found = match?.[1] ? findSession(books, match[1]) : undefined;
  const method = req.method === "HEAD" ? "GET" : (req.method ?? "GET");
  const page = found
    ? answerPage(found.book, found.session, { method, bank: match?.[2] !== undefined, form })
    : { status: 404, html: unknownPage() };
  if ("location" in page) res.writeHead(page.status, { Location: page.location, "Cache-Control": "no-store" }).end();
  else
    res
      .writeHead(page.status, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" })
      .end(page.html);
}

function findSession(books: readonly Book[], id: string): { book: Book; session: Stripe.Checkout.Session } | undefined {
  for (const book of books) {
    const session = book.sessions.get(id);
    if (session) return { book, session };
  }
  return undefined;
}

function moneyOf(book: Book): Money[] {
  return [...book.charges.values()]
    .filter(({ status }) => status === "succeeded")
    .map(({ payment_intent, amount, currency, metadata, amount_refunded: refunded }) => {
      const paymentIntent = typeof payment_intent === "string" ? payment_intent : (payment_intent?.id ?? "");
      return { paymentIntent, amount, currency, metadata, refunded };
    });
}
