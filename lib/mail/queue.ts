import { clock } from "@/lib/clock";
import type { Db } from "@/lib/db";
import { newId } from "@/lib/id";
import { seal } from "@/lib/secrets";
import type { StaffMails } from "./mails";

export type StaffMail = {
  [T in keyof StaffMails]: { template: T; to: string; businessId: number; livemode: boolean; props: StaffMails[T] };
}[keyof StaffMails];

/**
 * Queues a mail to staff, in the transaction that it tells of. Its props hold a way in (a link with a token), so they are
 * sealed: for the row's id and `props`.
 */
export async function queueStaffMail(tx: Db, { template, to, businessId, livemode, props }: StaffMail): Promise<void> {
  const id = newId("eml");
  const sealed = { sealed: seal(JSON.stringify(props), `${id} props`) };
  const data = { id, business_id: businessId, livemode, template, to, props: sealed, created_at: clock.now() };
  await tx.email.create({ data });
}
