import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { decide, type Present, presentOf, type Queued } from "@/lib/outbox/mail/current";
import type { Letterhead, Writer } from "@/lib/outbox/mail/send";
import { aboutLink } from "@/lib/resources/emails/templates";
import { lockPayable } from "@/lib/resources/payment-links/send";
import { brandSql } from "@/lib/resources/settings/brand";
import type { Email, EmailListQuery, EmailSummary } from "./contract";
import { emailSummaries, emails, resendable } from "./resource";

async function letterhead(tx: Db, actor: Actor): Promise<Letterhead> {
  const { business_id, livemode } = tenantOf(actor);
  const [head] = await queryRows<Omit<Letterhead, "livemode">>(
    tx,
    Prisma.sql`
    SELECT b.name AS business_name, b.timezone, b.support_email, ${Prisma.raw(brandSql)} AS brand
      FROM business b WHERE b.id = ${business_id}`,
  );
  if (!head) throw new Error("A business without a row.");
  return { ...head, livemode };
}

type Row = EmailSummary & { props: object | null };

function present({ props, ...row }: Row, writer: Writer, head: Letterhead): EmailSummary {
  return { ...row, subject: props === null ? row.subject : writer.subject(row.template, props, head) };
}

/** @throws ApiError not_found */
export async function getEmail(tx: Db, actor: Actor, id: string, writer: Writer): Promise<Email> {
  const { props, ...email } = await emails.get(tx, actor, id);
  if (props === null) return email;
  return { ...email, ...(await writer.compose(email.template, props, await letterhead(tx, actor))) };
}

export async function listEmails(
  tx: Db,
  actor: Actor,
  query: EmailListQuery,
  writer: Writer,
): Promise<Page<EmailSummary>> {
  const { rows, page } = await emailSummaries.list(tx, actor, query);
  const head = await letterhead(tx, actor);
  return { rows: rows.map((row) => present(row, writer, head)), page };
}

/** Limit of copies per recipient, over all mails. */
const copyLimit = { max: 5, seconds: 24 * 3_600 } as const;

/**
 * Queues a copy of a mail to a payer: with what is true now, to the present address (lib/outbox/mail/current.ts). The limit
 * counts the queued copies under a lock of the recipient, so that concurrent requests can not exceed it.
 * @throws ApiError not_found, conflict, link_not_active, link_already_paid, link_processing, link_expired, too_many_attempts
 */
export function resendEmail(tx: Db, actor: Actor, id: string, writer: Writer): Promise<EmailSummary> {
  return transaction(tx, async (tx) => {
    const original = await getEmail(tx, actor, id, writer);
    if (!original.resendable) return refuseCopy(original);
    if (aboutLink.includes(original.template)) await lockLink(tx, actor, original);
    const copy = await currentMail(tx, actor, original);
    await assertCopyLimit(tx, actor, copy.to);
    return queueCopy(tx, actor, original, copy, writer);
  });
}

async function currentMail(tx: Db, actor: Actor, { _id }: Email): Promise<Queued> {
  const [row] = await queryRows<Queued & Present>(
    tx,
    Prisma.sql`
    SELECT e.template, e."to", e.props, true AS is_copy, ${presentOf(Prisma.sql`e`)} FROM email e WHERE id = ${_id} AND ${emails.ownedBy(actor)}`,
  );
  const decision = row ? decide(row, row, clock.now()) : null;
  if (decision && "send" in decision) return decision.send;
  throw new ApiError(
    "conflict",
    row?.template === "price_changing"
      ? "The new price that this e-mail announces was withdrawn, is charged already, or waits for an earlier one to begin."
      : "The charge that this e-mail announces is no longer due.",
  );
}

/** Locks a payment request's link while it can be paid. */
async function lockLink(tx: Db, actor: Actor, { payment_link_id: id }: Email): Promise<void> {
  try {
    await lockPayable(tx, actor, id ?? "");
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    throw new ApiError("conflict", "The payment link has been deleted and cannot be paid.");
  }
}

/** @throws ApiError too_many_attempts */
async function assertCopyLimit(tx: Db, actor: Actor, to: string): Promise<void> {
  const { business_id, livemode } = tenantOf(actor);
  await lockUntilCommit(tx, `resend ${business_id} ${livemode} ${to.toLowerCase()}`);
  const now = clock.now();
  const [oldest] = await queryRows<{ at: Date }>(
    tx,
    Prisma.sql`
    SELECT created_at AS at FROM email
     WHERE ${emailSummaries.ownedBy(actor)} AND lower("to" COLLATE "C") = lower(${to}::text COLLATE "C") AND copy_of IS NOT NULL
     ORDER BY created_at DESC OFFSET ${copyLimit.max - 1}::int LIMIT 1`,
  );
  const wait = oldest ? Math.ceil((oldest.at.getTime() - now.getTime()) / 1_000) + copyLimit.seconds : 0;
  if (wait > 0) throw new ApiError("too_many_attempts", undefined, { "Retry-After": String(wait) });
}

async function queueCopy(
  tx: Db,
  actor: Actor,
  original: Email,
  { to, props }: Queued,
  writer: Writer,
): Promise<EmailSummary> {
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    INSERT INTO email (id, copy_of, business_id, livemode, payment_link_id, subscription_id, template, "to", props, status,
                       next_attempt_at, created_at)
    SELECT ${newId("eml")}, id, business_id, livemode, payment_link_id, subscription_id, template, ${to}, ${JSON.stringify(props)}::jsonb,
           CASE WHEN livemode THEN 'queued' ELSE 'outbox' END, CASE WHEN livemode THEN clock_timestamp() END,
           ${clock.now()}::timestamptz
      FROM email WHERE id = ${original._id} AND ${emailSummaries.ownedBy(actor)} AND ${resendable}
    RETURNING ${emailSummaries.columns()}`,
  );
  return row ? present(row, writer, await letterhead(tx, actor)) : refuseCopy(original);
}

function refuseCopy({ status }: Email): never {
  throw new ApiError(
    "conflict",
    status === "queued" ? "The e-mail is still to be sent." : "Only mails to payers can be sent again.",
  );
}
