import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import type { Dispute } from "@/lib/resources/disputes/contract";

/** Queues the mails to owners and admins about a dispute that was opened or has ended, in the transaction of the change. */
export async function mailStaff(tx: Db, tenant: Tenant, dispute: Dispute, ended: boolean): Promise<void> {
  const { businessId, livemode } = tenant;
  const people = await tx.user.findMany({
    where: { memberships: { some: { business_id: businessId, role: { in: ["owner", "admin"] } } } },
    select: { email: true },
    orderBy: { email: "asc" },
  });
  const template = ended ? "dispute_ended" : "dispute_opened";
  const props = { dispute, link: dashboardLink(tenant, `/disputes/${dispute._id}`) };
  for (const { email } of people) await queueStaffMail(tx, { template, to: email, businessId, livemode, props });
}
