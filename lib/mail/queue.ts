import { type Db, Prisma, queryRows, type SqlTransaction } from "../db";
import { newId } from "../id";
import { seal, unseal } from "../secrets";
import { holdsSecret, type StaffMail, type Template } from "./mails";

const place = (id: string): string => `email ${id} props`;

/**
 * Queues a mail to one of the staff, in the caller's transaction: it is sent if that commits. What payers are told is queued
 * with the event that it tells of (lib/events/record.ts).
 * @returns the row's id
 */
export async function queueStaffMail(
  tx: Db | SqlTransaction,
  mail: StaffMail & { businessId: number; livemode: boolean },
): Promise<string> {
  const id = newId("eml");
  const written = JSON.stringify(mail.props);
  const props = holdsSecret(mail.template) ? JSON.stringify({ sealed: seal(written, place(id)) }) : written;
  await queryRows(
    tx,
    Prisma.sql`
    INSERT INTO email (id, business_id, livemode, template, "to", props, created_at)
    VALUES (${id}, ${mail.businessId}, ${mail.livemode}, ${mail.template}, ${mail.to}, ${props}::jsonb, clock_timestamp())`,
  );
  return id;
}

/**
 * What a row's template is filled with.
 * @throws Error when it was sealed with another APP_SECRET
 */
export function propsOf({ id, template, props }: { id: string; template: Template; props: object }): object {
  if (!holdsSecret(template)) return props;
  if (!("sealed" in props)) throw new Error("A mail with a secret that is not sealed.");
  return JSON.parse(unseal(String(props.sealed), place(id)));
}
