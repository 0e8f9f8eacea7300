import type Stripe from "stripe";
import { type Book, find, template, token } from "./books";

/** Creates a customer, for the API or a session. */
export function createCustomer(book: Book, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer: Stripe.Customer = {
    ...template("customer"),
    id: `cus_${token(14)}`,
    created: book.now(),
    invoice_prefix: token(8).toUpperCase(),
    email: params.email ?? null,
    name: params.name ?? null,
    phone: params.phone ?? null,
    description: params.description ?? null,
    metadata: readMetadata(params.metadata),
  };
  book.customers.set(customer.id, customer);
  book.emit("customer.created", customer);
  return customer;
}

/** DELETE /v1/customers/:id. Real Stripe keeps deleted customers; the fake removes them. */
export function deleteCustomer(book: Book, id: string): { id: string; object: "customer"; deleted: true } {
  find(book.customers, "customer", id);
  book.customers.delete(id);
  return { id, object: "customer", deleted: true };
}

/** Metadata as objects show it. */
export function readMetadata(value: Stripe.Emptyable<Stripe.MetadataParam> | undefined): Stripe.Metadata {
  return Object.fromEntries(Object.entries(value || {}).map(([key, text]) => [key, String(text)]));
}
