import type { Role } from "@/lib/auth/scopes";
import { Prisma } from "@/lib/core/db";
import { type StaffMails, sumOfOthers, type Template } from "@/lib/resources/emails/templates";
import { type Stoppable, stoppableIn } from "./unsubscribe";
import { type Since, wantedByMail } from "./wanted";

/** The recipient of a notification as a member, when the mail is sent. */
export interface Recipient {
  role: Role;
  mail: Since | null;
  digest: boolean;
}

const notifications: readonly Template[] = [
  "notifications",
  "daily_digest",
  "dispute_opened",
  "dispute_ended",
  "webhook_failing",
  "account_broken",
];

/**
 * The column `recipient` for a row of `email`. null for a former member, and for mails that are no notifications.
 * @param email the row's alias
 */
export const recipientColumn = (email: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${email}.template = ANY(${notifications}::text[]) THEN (
    SELECT json_build_object('role', m.role, 'mail', n.mail, 'digest', coalesce(n.digest, false))
      FROM staff_user u JOIN membership m ON m.user_id = u.id AND m.business_id = ${email}.business_id
      LEFT JOIN notification_state n
        ON n.business_id = m.business_id AND n.user_id = m.user_id AND n.livemode = ${email}.livemode
     WHERE u.email = ${email}.to) END AS recipient`;

/**
 * The props of a queued notification when it is sent, without the kinds that its recipient has turned off or may no longer read.
 * @returns null if nothing remains
 */
export function wantedProps(template: Template, props: object, recipient: Recipient | null): object | null {
  if (!notifications.includes(template)) return props;
  if (!recipient) return null;
  if (template === "daily_digest") return recipient.digest ? props : null;
  const kinds = wantedByMail(recipient.mail, recipient.role).map(({ kind }) => kind as Stoppable);
  if (template !== "notifications")
    return stoppableIn(template, props).every((kind) => kinds.includes(kind)) ? props : null;
  const notification = props as StaffMails["notifications"];
  const isWanted = ({ kind }: { kind: Stoppable }) => kinds.includes(kind);
  const lines = notification.lines.filter(isWanted);
  const others = notification.others?.filter(isWanted);
  if (lines.length === 0 && !others?.length) return null;
  // A mail that an earlier version queued has no `others`.
  return { ...notification, lines, ...(others && { others, more: sumOfOthers(others) }) };
}
