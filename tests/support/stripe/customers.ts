import type Stripe from "stripe";
import { type Book, find, template, token } from "./books";

/** A customer, as the API makes one and as a session does for its payer. */
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

/** DELETE /v1/customers/:id: the real API goes on showing a deleted customer as such; here it is gone. */
export function deleteCustomer(book: Book, id: string): { id: string; object: "customer"; deleted: true } {
  find(book.customers, "customer", id);
  book.customers.delete(id);
  return { id, object: "customer", deleted: true };
}

/** Metadata as its rule read it, in the form that objects carry. */
export function readMetadata(value: Stripe.Emptyable<Stripe.MetadataParam> | undefined): Stripe.Metadata {
  return Object.fromEntries(Object.entries(value || {}).map(([key, text]) => [key, String(text)]));
}
