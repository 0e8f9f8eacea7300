import type Stripe from "stripe";
import { apiVersion, type Book, find, template, token } from "./books";
import { readMetadata } from "./customers";
import { badParameter, badState } from "./errors";

/** POST /v1/webhook_endpoints: only this response has the secret. */
export function createEndpoint(book: Book, params: Stripe.WebhookEndpointCreateParams): Stripe.WebhookEndpoint {
  if (book.livemode && !params.url.startsWith("https:")) {
    throw badParameter('Invalid URL: URLs in livemode must begin with "https://".', "url", "url_invalid");
  }
  if (book.endpoints.size >= 16) throw badState("An account has at most 16 test webhook endpoints.");
  const endpoint: Stripe.WebhookEndpoint = {
    ...template("webhook_endpoint"),
    id: `we_${token(24)}`,
    created: book.now(),
    url: params.url,
    enabled_events: params.enabled_events,
    api_version: params.api_version ?? apiVersion,
    description: params.description || null,
    metadata: readMetadata(params.metadata),
  };
  const secret = `whsec_${token(32)}`;
  book.endpoints.set(endpoint.id, endpoint);
  book.secrets.set(endpoint.id, secret);
  return { ...endpoint, secret };
}

/** POST /v1/webhook_endpoints/:id. */
export function updateEndpoint(
  book: Book,
  id: string,
  params: Stripe.WebhookEndpointUpdateParams,
): Stripe.WebhookEndpoint {
  const endpoint = find(book.endpoints, "webhook_endpoint", id);
  endpoint.url = params.url ?? endpoint.url;
  endpoint.enabled_events = params.enabled_events ?? endpoint.enabled_events;
  endpoint.description = params.description ?? endpoint.description;
  if (params.metadata) Object.assign(endpoint.metadata, readMetadata(params.metadata));
  if (params.disabled !== undefined) endpoint.status = params.disabled ? "disabled" : "enabled";
  return endpoint;
}

/** DELETE /v1/webhook_endpoints/:id. Drops deliveries in flight. */
export function deleteEndpoint(book: Book, id: string): { id: string; object: "webhook_endpoint"; deleted: true } {
  find(book.endpoints, "webhook_endpoint", id);
  book.endpoints.delete(id);
  book.secrets.delete(id);
  return { id, object: "webhook_endpoint", deleted: true };
}
