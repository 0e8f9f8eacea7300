import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { seal, unseal } from "@/lib/core/secrets";
import { holdsSecret, type QueuedMail, type StaffMail, type Template } from "@/lib/resources/emails/templates";

export const sealContext = (id: string): string => `email ${id} props`;

/**
 * Enqueues a mail to a staff member, in the caller's transaction. Mails to payers are enqueued with their event
 * (lib/outbox/record.ts).
 * @returns the row's id
 */
export async function queueStaffMail(
  tx: Db,
  mail: StaffMail & { businessId: number; livemode: boolean },
): Promise<string> {
  const id = newId("eml");
  const written = JSON.stringify(mail.props);
  const props = holdsSecret(mail.template) ? JSON.stringify({ sealed: seal(written, sealContext(id)) }) : written;
  await queryRows(
    tx,
    Prisma.sql`
    INSERT INTO email (id, business_id, livemode, staff, template, "to", props, created_at)
    VALUES (${id}, ${mail.businessId}, ${mail.livemode}, true, ${mail.template}, ${mail.to}, ${props}::jsonb,
            business_time(${mail.businessId}, ${mail.livemode}))`,
  );
  return id;
}

/**
 * Enqueues a mail to a payer that belongs to no new event, in the caller's transaction. In test mode it is not sent: it
 * gets the status `outbox`.
 * @returns the row's id
 */
export async function queuePayerMail(
  tx: Db,
  tenant: Tenant,
  mail: QueuedMail,
  about: { paymentLinkId: string | null; subscriptionId: string | null },
): Promise<string> {
  const { business_id, livemode } = tenantOf(tenant);
  const id = newId("eml");
  await queryRows(
    tx,
    Prisma.sql`
    INSERT INTO email (id, business_id, livemode, payment_link_id, subscription_id, template, "to", props, status,
                       next_attempt_at, created_at)
    VALUES (${id}, ${business_id}, ${livemode}::boolean, ${about.paymentLinkId}, ${about.subscriptionId}, ${mail.template},
            ${mail.to}, ${JSON.stringify(mail.props)}::jsonb, CASE WHEN ${livemode}::boolean THEN 'queued' ELSE 'outbox' END,
            CASE WHEN ${livemode}::boolean THEN clock_timestamp() END, ${clock.now()}::timestamptz)`,
  );
  return id;
}

/**
 * A row's template props, unsealed.
 * @throws Error when they were sealed with another APP_SECRET
 */
export function propsOf({ id, template, props }: { id: string; template: Template; props: object }): object {
  if (!holdsSecret(template)) return props;
  if (!("sealed" in props)) throw new Error("A mail with a secret that is not sealed.");
  return JSON.parse(unseal(String(props.sealed), sealContext(id)));
}
