import { ApiError, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { templateNames, templates } from "@/lib/mail/mails";
import type { Letterhead, Writer } from "@/lib/mail/send";
import { brandSql } from "@/lib/settings/brand";
import type { Email, EmailListQuery, EmailSummary } from "./contract";

interface Row extends Omit<EmailSummary, "_id"> {
  id: string;
  /** What it is written with; null where it has been, or holds a secret. */
  props: object | null;
}

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

// In test mode no mail is sent, so none is written before somebody looks at it.
const unwritten = Prisma.sql`CASE WHEN status = 'outbox' AND html IS NULL THEN props END AS props`;

/** In whose name the mails of a business and mode are written. */
async function letterhead(tx: Db, actor: Actor): Promise<Letterhead> {
  const { business_id, livemode } = owner(actor);
  const [head] = await queryRows<Omit<Letterhead, "livemode">>(
    tx,
    Prisma.sql`
    SELECT b.name AS business_name, b.timezone, b.support_email, ${Prisma.raw(brandSql)} AS brand
      FROM business b WHERE b.id = ${business_id}`,
  );
  if (!head) throw new Error("A business without a row.");
  return { ...head, livemode };
}

function present({ id, props, ...row }: Row, writer: Writer, head: Letterhead): EmailSummary {
  return { ...row, _id: id, subject: props === null ? row.subject : writer.subject(row.template, props, head) };
}

/** @throws ApiError not_found */
export async function getEmail(tx: Db, actor: Actor, id: string, writer: Writer): Promise<Email> {
  if (!isId("eml", id)) throw notFound("E-mail");
  const [row] = await queryRows<Row & Pick<Email, "html" | "text">>(
    tx,
    Prisma.sql`SELECT ${summary}, html, text, ${unwritten} FROM email WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("E-mail");
  const { props, id: _id, ...email } = row;
  if (props === null) return { ...email, _id };
  return { ...email, _id, ...(await writer.compose(email.template, props, await letterhead(tx, actor))) };
}

/** Newest first unless asked otherwise. */
export async function listEmails(
  tx: Db,
  actor: Actor,
  query: EmailListQuery,
  writer: Writer,
): Promise<Page<EmailSummary>> {
  const { status, template, to, payment_link_id, subscription_id } = query;
  const where = [mine(actor), ...equals({ status, template, '"to"': to, payment_link_id, subscription_id })];
  const columns = Prisma.sql`${summary}, ${unwritten}`;
  const { rows, page } = await listRows<Row>(tx, { table: "email", columns, where, query });
  const head = await letterhead(tx, actor);
  return { rows: rows.map((row) => present(row, writer, head)), page };
}

/**
 * Queues a copy of a mail to a payer.
 * @throws ApiError not_found, conflict
 */
export async function resendEmail(tx: Db, actor: Actor, id: string, writer: Writer): Promise<EmailSummary> {
  if (!isId("eml", id)) throw notFound("E-mail");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    INSERT INTO email (id, business_id, livemode, payment_link_id, subscription_id, template, "to", props, status,
                       next_attempt_at, created_at)
    SELECT ${newId("eml")}, business_id, livemode, payment_link_id, subscription_id, template, "to", props,
           CASE WHEN livemode THEN 'queued' ELSE 'outbox' END, CASE WHEN livemode THEN clock_timestamp() END,
           ${clock.now()}::timestamptz
      FROM email WHERE id = ${id} AND ${mine(actor)} AND ${resendable}
    RETURNING ${summary}, ${unwritten}`,
  );
  if (row) return present(row, writer, await letterhead(tx, actor));
  const { status } = await getEmail(tx, actor, id, writer);
  throw new ApiError(
    "conflict",
    status === "queued" ? "The e-mail is still to be sent." : "Only mails to payers can be sent again.",
  );
}
