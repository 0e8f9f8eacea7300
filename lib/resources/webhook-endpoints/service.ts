import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type AuditEntry, audit, changed } from "@/lib/auth/audit";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { assigned, type Db, lockUntilCommit, Prisma, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { isLocalhost, isPublic, literalAddress } from "@/lib/outbox/webhooks/address";
import { mayCallLocalhost } from "@/lib/outbox/webhooks/client";
import { failPending } from "@/lib/outbox/webhooks/failing";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import {
  maxEndpoints,
  type WebhookEndpoint,
  type WebhookEndpointInput,
  type WebhookEndpointUpdate,
  type WebhookEndpointWithSecret,
} from "./contract";
import { webhookEndpoints } from "./resource";

// Everything here goes by the database's clock, never by a test clock.

/**
 * Refuses addresses that every delivery would refuse. Deliveries check what a name resolves to (lib/outbox/webhooks/client.ts).
 * @throws ValidationError
 */
function checkUrl(actor: Actor, url: string): void {
  const { hostname, port } = new URL(url);
  const literal = literalAddress(hostname);
  const refuse = (message: string) => new ValidationError({ url: [message] });
  if (isLocalhost(hostname)) {
    if (!mayCallLocalhost(actor.livemode)) throw refuse("The url must not be on this machine.");
  } else if (literal && !isPublic(literal)) throw refuse("The url must be on the public internet.");
  // Ports below 1024 belong to other protocols.
  if (port !== "" && Number(port) < 1024) throw refuse("The url's port must be 443, or 1024 or more.");
}

/**
 * Creates an endpoint, which gets events from now on.
 * @throws ValidationError; ApiError too_many_webhook_endpoints
 */
export async function createWebhookEndpoint(
  tx: Db,
  actor: Actor,
  input: WebhookEndpointInput,
): Promise<WebhookEndpointWithSecret> {
  checkUrl(actor, input.url);
  const tenant = tenantOf(actor);
  const id = newId("whe");
  const { shown, sealed } = newSecret(id);
  return transaction(tx, async (tx) => {
    // One request of a tenant at a time, so that two that count 15 do not both create the 16th.
    await lockUntilCommit(tx, `webhook endpoints ${tenant.business_id} ${tenant.livemode}`);
    const count = await tx.webhookEndpoint.count({ where: { ...tenant, deleted_at: null } });
    if (count >= maxEndpoints) throw new ApiError("too_many_webhook_endpoints");
    const created = await webhookEndpoints.insert(tx, { id, ...tenant, ...input, secret: sealed });
    await auditEndpoint(tx, created, "webhook_endpoint.created", { after: settingsOf(created) });
    return { ...created, secret: shown };
  });
}

/**
 * Changes the given fields. Pending deliveries go to the new address.
 * @throws ApiError not_found; ValidationError
 */
export async function updateWebhookEndpoint(
  tx: Db,
  actor: Actor,
  id: string,
  input: WebhookEndpointUpdate,
): Promise<WebhookEndpoint> {
  webhookEndpoints.checkId(id);
  const { url, description, events } = input;
  if (url !== undefined) checkUrl(actor, url);
  const fields = assigned({ description, events });
  const set = [url === undefined ? Prisma.empty : moved(url), fields].filter((part) => part !== Prisma.empty);
  if (set.length === 0) return webhookEndpoints.get(tx, actor, id);
  return transaction(tx, async (tx) => {
    const was = await webhookEndpoints.get(tx, actor, id, Prisma.sql`FOR NO KEY UPDATE`);
    const is = webhookEndpoints.orNotFound(await webhookEndpoints.update(tx, actor, id, Prisma.join(set, ", ")));
    const difference = changed(settingsOf(was), settingsOf(is));
    if (difference) await auditEndpoint(tx, is, "webhook_endpoint.changed", difference);
    return is;
  });
}

const settingsOf = ({ url, description, events, status }: WebhookEndpoint) => ({ url, description, events, status });

function auditEndpoint(
  tx: Db,
  { _id, business_id, livemode, url }: WebhookEndpoint,
  action: AuditAction,
  what: Pick<AuditEntry, "before" | "after">,
): Promise<void> {
  return audit(tx, business_id, { action, livemode, resource_id: _id, about: url, ...what });
}

/** A new address starts without the failures of the old one. */
const moved = (url: string) => Prisma.sql`
  failing_since = CASE WHEN url = ${url} THEN failing_since END, warned_at = CASE WHEN url = ${url} THEN warned_at END,
  url = ${url}`;

/**
 * Enables an endpoint for events from now on. Enabling it again changes nothing.
 * @throws ApiError not_found
 */
export async function enableWebhookEndpoint(tx: Db, actor: Actor, id: string): Promise<WebhookEndpoint> {
  webhookEndpoints.checkId(id);
  return transaction(tx, async (tx) => {
    const to = Prisma.sql`status = 'enabled', disabled_reason = NULL, failing_since = NULL, warned_at = NULL`;
    const enabled = await webhookEndpoints.update(tx, actor, id, to, Prisma.sql`status = 'disabled'`);
    if (!enabled) return webhookEndpoints.get(tx, actor, id);
    const difference = { before: { status: "disabled" }, after: { status: "enabled" } };
    await auditEndpoint(tx, enabled, "webhook_endpoint.enabled", difference);
    return enabled;
  });
}

/**
 * Disables an endpoint. Its pending deliveries fail, and it gets no events meanwhile.
 * @throws ApiError not_found
 */
export async function disableWebhookEndpoint(tx: Db, actor: Actor, id: string): Promise<WebhookEndpoint> {
  webhookEndpoints.checkId(id);
  return transaction(tx, async (tx) => {
    const to = Prisma.sql`status = 'disabled', disabled_reason = 'by_hand'`;
    const disabled = await webhookEndpoints.update(tx, actor, id, to, Prisma.sql`status = 'enabled'`);
    const endpoint = disabled ?? (await webhookEndpoints.get(tx, actor, id));
    const difference = { before: { status: "enabled" }, after: { status: "disabled" } };
    if (disabled) await auditEndpoint(tx, disabled, "webhook_endpoint.disabled", difference);
    if (endpoint.status === "disabled") await failPending(tx, [id]);
    return endpoint;
  });
}

/**
 * Deletes an endpoint. The row stays with its deliveries.
 * @throws ApiError not_found
 */
export async function removeWebhookEndpoint(
  tx: Db,
  actor: Actor,
  id: string,
): Promise<WebhookEndpoint & { deleted: true }> {
  webhookEndpoints.checkId(id);
  return transaction(tx, async (tx) => {
    const deleted = await webhookEndpoints.update(tx, actor, id, Prisma.sql`deleted_at = clock_timestamp()`);
    const endpoint = webhookEndpoints.orNotFound(deleted);
    await failPending(tx, [id]);
    await auditEndpoint(tx, endpoint, "webhook_endpoint.deleted", { before: settingsOf(endpoint) });
    return { ...endpoint, deleted: true };
  });
}

/**
 * Gives an endpoint a new secret. The previous one also signs for so many hours; an older one no longer does.
 * @throws ApiError not_found
 */
export async function rotateWebhookSecret(
  tx: Db,
  actor: Actor,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpointWithSecret> {
  webhookEndpoints.checkId(id);
  const { shown, sealed } = newSecret(id);
  return transaction(tx, async (tx) => {
    const rotated = await webhookEndpoints.update(
      tx,
      actor,
      id,
      Prisma.sql`
        secret = ${sealed}, previous_secret = CASE WHEN ${overlapHours}::int > 0 THEN secret END,
        previous_expires_at = CASE WHEN ${overlapHours}::int > 0
          THEN clock_timestamp() + make_interval(hours => ${overlapHours}::int) END`,
    );
    const endpoint = webhookEndpoints.orNotFound(rotated);
    const after = { previous_secret_expires_at: endpoint.previous_secret_expires_at };
    await auditEndpoint(tx, endpoint, "webhook_endpoint.secret_rotated", { after });
    return { ...endpoint, secret: shown };
  });
}
