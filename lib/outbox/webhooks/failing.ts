import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { recipientsOf } from "@/lib/outbox/notifications/wanted";
import { disableAfterMs, disableNoticeMs, warnAfterMs } from "./schedule";

export interface FailingEndpoint {
  id: string;
  business_id: number;
  livemode: boolean;
  url: string;
  failing_since: Date;
  /** `failing_since` by the clock of the business. */
  shown_since: Date;
}

/** Warns the members who want it (by default owners, admins and developers) that an endpoint will be disabled unless a delivery succeeds. */
async function warnOfFailingEndpoint(tx: Db, endpoint: FailingEndpoint): Promise<void> {
  const { id, business_id, livemode, url, failing_since, shown_since } = endpoint;
  const tenant = { businessId: business_id, livemode };
  const disabled = Math.max(failing_since.getTime() + disableAfterMs, Date.now() + disableNoticeMs);
  const props = {
    endpoint_url: url,
    failing_since: shown_since.toISOString(),
    disabled_at: new Date(disabled + shown_since.getTime() - failing_since.getTime()).toISOString(),
    link: dashboardLink(tenant, `/developers/webhooks/${id}`),
  };
  for (const to of await recipientsOf(tx, tenant, "endpoint_failing"))
    await queueStaffMail(tx, { template: "webhook_failing", to, ...tenant, props });
}

const warningColumns = Prisma.sql`id, business_id, livemode, url, failing_since,
  on_business_clock(failing_since, business_id, livemode) AS shown_since`;
const ago = (ms: number) => Prisma.sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)`;

/**
 * Records a failed attempt on its endpoint. The first failure sets `failing_since`. After two days of failures staff
 * are warned. After five, and at least a day after the warning, the endpoint is disabled.
 * @param url of the attempt; nothing changes if the endpoint has another URL by now
 * @returns whether the endpoint was disabled
 */
export async function recordFailure(tx: Db, id: string, url: string): Promise<boolean> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET failing_since = clock_timestamp()
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND failing_since IS NULL`,
  );
  const [warned] = await queryRows<FailingEndpoint>(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET warned_at = clock_timestamp()
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND warned_at IS NULL AND failing_since <= ${ago(warnAfterMs)}
    RETURNING ${warningColumns}`,
  );
  if (warned) await warnOfFailingEndpoint(tx, warned);
  const disabled = await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'failing'
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND failing_since <= ${ago(disableAfterMs)}
       AND warned_at <= ${ago(disableNoticeMs)}
    RETURNING id`,
  );
  return disabled.length > 0;
}

/** Disables an endpoint that answered 410 Gone. @returns whether it was disabled */
export async function disableGone(tx: Db, id: string, url: string): Promise<boolean> {
  const disabled = await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'gone',
           failing_since = coalesce(failing_since, clock_timestamp())
     WHERE id = ${id} AND url = ${url} AND status = 'enabled'
    RETURNING id`,
  );
  return disabled.length > 0;
}

/**
 * Fails the pending deliveries of disabled endpoints. An attempt in flight still settles by its own outcome. Handles at
 * most 1000 deliveries, and none that is being settled: the worker calls it again until none is left.
 */
export async function failPending(tx: Db, endpointIds: string[]): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL
     WHERE id = ANY (ARRAY(
       SELECT d.id FROM webhook_delivery d
        WHERE d.endpoint_id = ANY(${endpointIds}::text[]) AND d.status = 'pending'
          AND EXISTS (SELECT FROM webhook_endpoint e
                       WHERE e.id = d.endpoint_id AND (e.status <> 'enabled' OR e.deleted_at IS NOT NULL))
        LIMIT 1000 FOR UPDATE OF d SKIP LOCKED))`,
  );
}
