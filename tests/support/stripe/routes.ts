import type { Book } from "./books";
import { find, idOf } from "./books";
import { nothing, one } from "./common-rules";
import { createCustomer, deleteCustomer } from "./customers";
import { createEndpoint, deleteEndpoint, updateEndpoint } from "./endpoints";
import { badParameter } from "./errors";
import { checkExpand, expanded } from "./expand";
import { cancelIntent, confirmIntent, createIntent } from "./intents";
import { page } from "./lists";
import { detachMethod } from "./methods";
import { type Keys, type Raw, readAll } from "./params";
import { balanceGet, listTransactions, payoutList, readBalance, transactionList } from "./payouts";
import { createRefund } from "./refunds";
import * as rules from "./rules";
import { customerCreate, customerList, sessionCreate, sessionList } from "./session-rules";
import { createSession, expireSession } from "./sessions";

type Route = {
  method: string;
  pattern: RegExp;
  /** Parses the parameters. The returned function executes the request. */
  prepare: (raw: Raw, id: string) => (book: Book) => unknown;
};

function route<T extends object>(
  method: string,
  path: string,
  keys: Keys<T>,
  run: (book: Book, params: T, id: string) => object,
): Route {
  const [resource = ""] = path.replace("checkout/sessions", "checkout.sessions").split("/");
  const list = method === "GET" && resource.endsWith("s") && !path.includes(":id");
  return {
    method,
    pattern: new RegExp(`^/v1/${path.replace(":id", "([A-Za-z0-9_]+)")}$`),
    prepare: (raw, id) => {
      const params = readAll(keys, raw);
      const expand = "expand" in params ? (params.expand as string[]) : [];
      checkExpand(resource.replace(/s$/, ""), list, expand);
      return (book) => expanded(book, run(book, params, id), expand);
    },
  };
}

const routes: readonly Route[] = [
  route("GET", "account", one, (book) => book.account),

  route("POST", "customers", customerCreate, createCustomer),
  route("GET", "customers", customerList, (book, params) =>
    page(book.customers, params, "/v1/customers", ({ email }) => !params.email || email === params.email),
  ),
  route("GET", "customers/:id", one, (book, _, id) => find(book.customers, "customer", id)),
  route("DELETE", "customers/:id", nothing, (book, _, id) => deleteCustomer(book, id)),

  route("POST", "checkout/sessions", sessionCreate, createSession),
  route("GET", "checkout/sessions", sessionList, (book, params) =>
    page(
      book.sessions,
      params,
      "/v1/checkout/sessions",
      (session) =>
        (!params.customer || idOf(session.customer) === params.customer) &&
        (!params.payment_intent || idOf(session.payment_intent) === params.payment_intent) &&
        (!params.status || session.status === params.status),
    ),
  ),
  route("GET", "checkout/sessions/:id", one, (book, _, id) => find(book.sessions, "checkout.session", id)),
  route("POST", "checkout/sessions/:id/expire", one, (book, _, id) => expireSession(book, id)),

  route("GET", "setup_intents", rules.setupList, (book, params) =>
    page(
      book.setups,
      params,
      "/v1/setup_intents",
      ({ customer }) => !params.customer || idOf(customer) === params.customer,
    ),
  ),
  route("GET", "setup_intents/:id", one, (book, _, id) => find(book.setups, "setupintent", id)),
  route("GET", "payment_methods/:id", one, (book, _, id) => find(book.methods, "PaymentMethod", id)),
  route("POST", "payment_methods/:id/detach", one, (book, _, id) => detachMethod(book, id)),

  route("POST", "payment_intents", rules.intentCreate, createIntent),
  route("GET", "payment_intents", rules.intentList, (book, params) =>
    page(
      book.intents,
      params,
      "/v1/payment_intents",
      ({ customer }) => !params.customer || idOf(customer) === params.customer,
    ),
  ),
  route("GET", "payment_intents/:id", one, (book, _, id) => find(book.intents, "payment_intent", id)),
  route("POST", "payment_intents/:id/cancel", rules.intentCancel, (book, params, id) => cancelIntent(book, id, params)),
  route("POST", "payment_intents/:id/confirm", rules.intentConfirm, (book, params, id) =>
    confirmIntent(book, id, params),
  ),

  route("GET", "charges", rules.chargeList, (book, params) =>
    page(
      book.charges,
      params,
      "/v1/charges",
      (charge) => !params.payment_intent || idOf(charge.payment_intent) === params.payment_intent,
    ),
  ),
  route("GET", "charges/:id", one, (book, _, id) => find(book.charges, "charge", id)),

  route("POST", "refunds", rules.refundCreate, createRefund),
  route("GET", "refunds", rules.refundList, (book, params) =>
    page(
      book.refunds,
      params,
      "/v1/refunds",
      (refund) =>
        (!params.charge || idOf(refund.charge) === params.charge) &&
        (!params.payment_intent || idOf(refund.payment_intent) === params.payment_intent),
    ),
  ),
  route("GET", "refunds/:id", one, (book, _, id) => find(book.refunds, "refund", id)),

  route("GET", "disputes", rules.disputeList, (book, params) =>
    page(
      book.disputes,
      params,
      "/v1/disputes",
      (dispute) =>
        (!params.charge || idOf(dispute.charge) === params.charge) &&
        (!params.payment_intent || idOf(dispute.payment_intent) === params.payment_intent),
    ),
  ),
  route("GET", "disputes/:id", one, (book, _, id) => find(book.disputes, "dispute", id)),
  route("GET", "balance", balanceGet, readBalance),
  route("GET", "balance_transactions", transactionList, listTransactions),
  route("GET", "balance_transactions/:id", one, (book, _, id) => find(book.transactions, "balance_transaction", id)),
  route("GET", "payouts", payoutList, (book, params) =>
    page(book.payouts, params, "/v1/payouts", ({ status }) => !params.status || status === params.status),
  ),
  route("GET", "payouts/:id", one, (book, _, id) => find(book.payouts, "payout", id)),

  route("POST", "webhook_endpoints", rules.endpointCreate, createEndpoint),
  route("GET", "webhook_endpoints", rules.endpointList, (book, params) =>
    page(book.endpoints, params, "/v1/webhook_endpoints"),
  ),
  route("GET", "webhook_endpoints/:id", one, (book, _, id) => find(book.endpoints, "webhook_endpoint", id)),
  route("POST", "webhook_endpoints/:id", rules.endpointUpdate, (book, params, id) => updateEndpoint(book, id, params)),
  route("DELETE", "webhook_endpoints/:id", nothing, (book, _, id) => deleteEndpoint(book, id)),

  route("GET", "events", rules.eventList, (book, params) => {
    if (params.type && params.types) {
      throw badParameter("Give only one of type and types.", "types", "parameters_exclusive");
    }
    const wanted = ({ type }: { type: string }) =>
      (!params.type || type === params.type) && (!params.types || params.types.includes(type));
    return page(book.events, params, "/v1/events", wanted);
  }),
  route("GET", "events/:id", one, (book, _, id) => find(book.events, "event", id)),
];

/** The route and id of a request; null when the fake has none. */
export function findRoute(method: string, path: string): { route: Route; id: string } | null {
  for (const candidate of routes) {
    const match = candidate.method === method ? candidate.pattern.exec(path) : null;
    if (match) return { route: candidate, id: match[1] ?? "" };
  }
  return null;
}
