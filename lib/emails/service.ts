import { ApiError, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { templateNames, templates } from "@/lib/mail/mails";
import type { Email, EmailListQuery, EmailSummary } from "./contract";

type Row<E> = Omit<E, "_id"> & { id: string };

const toPayers = templateNames.filter((name) => templates[name] === "payer");
const resendable = Prisma.sql`(template = ANY(${toPayers}::text[]) AND status <> 'queued')`;

const summary = Prisma.sql`
  id, template, "to", subject, status, business_id, livemode, event_id, payment_link_id, subscription_id, attempt_count,
  ${iso("next_attempt_at")} AS next_attempt_at, last_error, ${iso("sent_at")} AS sent_at, ${resendable} AS resendable,
  ${iso("created_at")} AS created_at`;

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

const present = <E extends EmailSummary>({ id, ...row }: Row<E>) => ({ _id: id, ...row });

/** @throws ApiError not_found */
export async function getEmail(tx: Db, actor: Actor, id: string): Promise<Email> {
  if (!isId("eml", id)) throw notFound("E-mail");
  const [row] = await queryRows<Row<Email>>(
    tx,
    Prisma.sql`SELECT ${summary}, html, text FROM email WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("E-mail");
  return present(row);
}

/** Newest first unless asked otherwise. */
export async function listEmails(tx: Db, actor: Actor, query: EmailListQuery): Promise<Page<EmailSummary>> {
  const { status, template, to, payment_link_id, subscription_id } = query;
  const where = [mine(actor), ...equals({ status, template, '"to"': to, payment_link_id, subscription_id })];
  const { rows, page } = await listRows<Row<EmailSummary>>(tx, { table: "email", columns: summary, where, query });
  return { rows: rows.map(present), page };
}

/**
 * Queues a copy of a mail to a payer.
 * @throws ApiError not_found, conflict
 */
export async function resendEmail(tx: Db, actor: Actor, id: string): Promise<EmailSummary> {
  if (!isId("eml", id)) throw notFound("E-mail");
  const [row] = await queryRows<Row<EmailSummary>>(
    tx,
    Prisma.sql`
    INSERT INTO email (id, business_id, livemode, payment_link_id, subscription_id, template, "to", props, created_at)
    SELECT ${newId("eml")}, business_id, livemode, payment_link_id, subscription_id, template, "to", props,
           ${clock.now()}::timestamptz
      FROM email WHERE id = ${id} AND ${mine(actor)} AND ${resendable}
    RETURNING ${summary}`,
  );
  if (row) return present(row);
  const { status } = await getEmail(tx, actor, id);
  throw new ApiError(
    "conflict",
    status === "queued" ? "The e-mail is still to be sent." : "Only mails to payers can be sent again.",
  );
}
