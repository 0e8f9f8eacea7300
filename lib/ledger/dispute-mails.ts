import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { recipientsOf } from "@/lib/outbox/notifications/wanted";
import type { Dispute } from "@/lib/resources/disputes/contract";

/** Queues the mails to members who want them (by default owners and admins) about a dispute that was opened or has ended, in the transaction of the change. */
export async function mailStaff(tx: Db, tenant: Tenant, dispute: Dispute, ended: boolean): Promise<void> {
  const { businessId, livemode } = tenant;
  const template = ended ? "dispute_ended" : "dispute_opened";
  const props = { dispute, link: dashboardLink(tenant, `/disputes/${dispute._id}`) };
  for (const to of await recipientsOf(tx, tenant, template))
    await queueStaffMail(tx, { template, to, businessId, livemode, props });
}
