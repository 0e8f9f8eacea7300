import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { pollMs } from "@/lib/core/env";
import { evenShares, type Lane, type LaneReport, type LaneState, startLanes } from "@/lib/core/lanes";
import { log } from "@/lib/core/log";
import { observed } from "@/lib/core/observe";
import { type Recipient, recipientColumn, wantedProps } from "@/lib/outbox/notifications/current";
import { stoppableIn, unsubscribeLink } from "@/lib/outbox/notifications/unsubscribe";
import type { DropReason } from "@/lib/resources/emails/contract";
import { holdsSecret, type PayerMails, type Template, templates } from "@/lib/resources/emails/templates";
import { type Brand, brandSql } from "@/lib/resources/settings/brand";
import { openingAt, priceAt } from "@/lib/resources/subscriptions/resource";
import { giveBack, type LimitedMail, takeFromBudget } from "./budget";
import { decide, type Present, presentOf, type Queued } from "./current";
import { propsOf } from "./enqueue";
import { hasSmtp, maxConnections, type Sent, sendBySmtp } from "./smtp";

export interface Letterhead {
  business_name: string;
  timezone: string;
  support_email: string | null;
  livemode: boolean;
  brand: Brand;
  /** Turns this kind of mail off; absent in the stored copy, because the link works for anyone who has it. */
  unsubscribe?: string;
}

export interface Composed {
  subject: string;
  html: string;
  text: string;
}

/** Renders a mail from its template and props (components/mail-templates/compose.tsx). */
export interface Writer {
  compose(template: Template, props: object, head: Letterhead): Promise<Composed>;
  subject(template: Template, props: object, head: Letterhead): string;
}

interface Claimed extends Letterhead, LimitedMail, Queued {
  id: string;
  lane: Lane;
  template: Template;
  props: object;
  attempt_count: number;
  /** How many of the attempts did not ask the mail server. */
  delay_count: number;
  /** Null for mails that say what was true when they were queued: also those of test mode, which are not sent. */
  present: Present | null;
  recipient: Recipient | null;
  /** A person who may not own the address: with a mail server, they have not confirmed it. */
  unconfirmed: boolean;
}

/** Longer than sending takes. After it, another worker claims the mails of a dead one. */
export const leaseSeconds = 480;

/** Minutes until the next attempt, by the number of attempts: about three days in all. */
const backoffMinutes = [1, 5, 15, 60, 120, 240, 480, 720, 720, 720, 720, 720];

/** Until the next look at a mail that waits for the end of a payment, and the first new look at one that could not be written. */
const recheckMs = 15 * 60_000;

/**
 * Per process: as many as there are connections, because a mail's time begins before it has one. Mails to staff go first, except for the
 * capacity reserved for payers.
 */
const maxInFlight = maxConnections;
const reservedForPayers = 1;

/** One lane per business for its payers, and one for its staff. */
const laneOf = (staff: boolean, businessId: number): Lane => ({
  key: `${staff ? "staff" : "payers"} ${businessId}`,
  group: String(businessId),
});
const isStaff = ({ key }: Lane): boolean => key.startsWith("staff ");

/** Lanes with due mails. Skips from lane to lane along the index of queued mails: the cost is the number of lanes. */
async function findDue(): Promise<Lane[]> {
  const rows = await queryRows<{ staff: boolean; business_id: number }>(
    db,
    Prisma.sql`
    WITH RECURSIVE waiting AS (
      (SELECT staff, business_id FROM email WHERE status = 'queued' ORDER BY staff, business_id LIMIT 1)
      UNION ALL
      SELECT further.staff, further.business_id
        FROM waiting w CROSS JOIN LATERAL (
          SELECT e.staff, e.business_id FROM email e
           WHERE e.status = 'queued' AND (e.staff, e.business_id) > (w.staff, w.business_id)
           ORDER BY e.staff, e.business_id LIMIT 1) AS further)
    SELECT w.staff, w.business_id FROM waiting w
     WHERE EXISTS (SELECT FROM email e
                    WHERE e.status = 'queued' AND e.staff = w.staff AND e.business_id = w.business_id
                      AND e.next_attempt_at <= statement_timestamp())`,
  );
  return rows.map(({ staff, business_id }) => laneOf(staff, business_id));
}

/** Distributes free capacity: mails to staff first, round-robin over businesses, with a reserve for payers. */
function shareMails(ready: LaneState[], all: LaneState[]): Map<string, number> {
  const count = (lanes: LaneState[]) => lanes.reduce((sum, { inFlight }) => sum + inFlight, 0);
  const payers = ready.filter((lane) => !isStaff(lane));
  const reserved = payers.length > 0 || count(all.filter((lane) => !isStaff(lane))) > 0 ? reservedForPayers : 0;
  const capacity = maxInFlight - count(all);
  const forStaff = Math.min(capacity, maxInFlight - reserved - count(all.filter(isStaff)));
  const staff = evenShares(ready.filter(isStaff), forStaff);
  const given = [...staff.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...staff, ...evenShares(payers, capacity - given)]);
}

/** Claiming raises `attempt_count`, and only the attempt with the current count can settle the mail. */
async function claim(wanted: Map<string, number>): Promise<Claimed[]> {
  const lanes = [...wanted].map(([key, share]) => ({
    staff: key.startsWith("staff "),
    id: Number(key.split(" ")[1]),
    share,
  }));
  const rows = await queryRows<Claimed & { staff: boolean }>(
    db,
    Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.id
        FROM unnest(${lanes.map(({ id }) => id)}::int[], ${lanes.map(({ staff }) => staff)}::boolean[],
                    ${lanes.map(({ share }) => share)}::int[]) AS lane(business_id, staff, share)
       CROSS JOIN LATERAL (
         SELECT id FROM email
          WHERE status = 'queued' AND staff = lane.staff AND business_id = lane.business_id
            AND next_attempt_at <= statement_timestamp()
          ORDER BY next_attempt_at LIMIT lane.share FOR UPDATE SKIP LOCKED) AS d
    )
    UPDATE email e SET attempt_count = e.attempt_count + 1,
                       next_attempt_at = clock_timestamp() + ${leaseSeconds}::int * interval '1 second'
      FROM due, business b WHERE e.id = due.id AND b.id = e.business_id
    RETURNING e.id, e.business_id, e.staff, e.template, e.to, e.props, e.attempt_count, e.delay_count,
              e.copy_of IS NOT NULL AS is_copy, e.livemode, e.created_at,
              b.name AS business_name, b.timezone, b.support_email,
              EXISTS (SELECT FROM gateway_account g
                       WHERE g.business_id = e.business_id AND g.livemode AND g.replaced_at IS NULL) AS has_gateway, ${Prisma.raw(brandSql)} AS brand,
              CASE WHEN e.livemode THEN (SELECT row_to_json(p) FROM (SELECT ${presentOf(Prisma.sql`e`)}) AS p) END AS present,
              ${recipientColumn(Prisma.sql`e`)},
              ${hasSmtp()}::boolean AND e.staff AND EXISTS (
                SELECT FROM staff_user u WHERE u.email = e.to AND u.email_verified_at IS NULL) AS unconfirmed`,
  );
  return rows.map((row) => ({ ...row, lane: laneOf(row.staff, row.business_id) }));
}

/** Sends due mails. Without SMTP_URL, and for payers in test mode, they stay in the outbox. */
export const startMails = (writer: Writer): (() => Promise<void>) =>
  startLanes<Claimed>({
    name: "mails",
    pollMs: pollMs(1),
    graceMs: 60_000,
    findDue,
    share: shareMails,
    claim,
    async run(mail): Promise<LaneReport> {
      const away = (await deliver(writer, mail)) === "down";
      if (away) log.warn("the mail server cannot be reached");
      return { away };
    },
  });

async function deliver(writer: Writer, mail: Claimed): Promise<Sent["outcome"] | "kept"> {
  // The mails with a secret prove the mailbox, and have limits of their own.
  const mayReceive = !mail.unconfirmed || holdsSecret(mail.template);
  const props = mayReceive ? wantedProps(mail.template, mail.props, mail.recipient) : null;
  if (props === null) {
    await write(mail, () => drop(mail, "not_wanted"));
    return "kept";
  }
  return deliverCurrent(writer, { ...mail, props });
}

async function deliverCurrent(writer: Writer, claimed: Claimed): Promise<Sent["outcome"] | "kept"> {
  const decision = claimed.present ? decide(claimed, claimed.present, clock.now()) : { send: claimed };
  if ("drop" in decision) {
    await write(claimed, () => drop(claimed, decision.drop));
    return "kept";
  }
  if ("wait" in decision) {
    const { wait, until } = decision;
    await write(claimed, () => postponeUntil(claimed, until, wait));
    return "later";
  }
  const mail = { ...claimed, ...decision.send };
  if (!hasSmtp() || !mail.livemode || templates[mail.template] === "staff") return sendNow(writer, mail);
  const limited = await takeFromBudget(mail);
  if (limited === null) {
    const outcome = await sendNow(writer, mail);
    if (outcome !== "sent" && outcome !== "refused") await giveBack(mail);
    return outcome;
  }
  await write(mail, () =>
    "drop" in limited ? drop(mail, limited.drop) : postponeUntil(mail, limited.until, limited.reason),
  );
  return "kept";
}

async function sendNow({ compose }: Writer, mail: Claimed): Promise<Sent["outcome"] | "kept"> {
  const secret = holdsSecret(mail.template);
  const { business_id: businessId, livemode, to: email } = mail;
  const kinds = stoppableIn(mail.template, mail.props);
  const unsubscribe = kinds.length > 0 ? unsubscribeLink({ businessId, livemode, email, kinds }) : undefined;
  const staff = templates[mail.template] === "staff";
  let kept: Composed;
  let whole: Composed;
  try {
    const props = propsOf(mail);
    kept = await compose(mail.template, secret ? { ...props, link: null } : props, mail);
    whole = secret || unsubscribe ? await compose(mail.template, props, { ...mail, unsubscribe }) : kept;
  } catch (error) {
    // A bug in a template, or another APP_SECRET. Retrying sends the mail once that is fixed.
    log.error({ err: error, mail: mail.id, template: mail.template }, "a mail could not be rendered");
    const until = new Date(Date.now() + Math.min(mail.delay_count + 1, 48) * recheckMs);
    await write(mail, () => postponeUntil(mail, until, "It could not be written."));
    return "later";
  }
  if (!hasSmtp() || !(mail.livemode || staff)) {
    await write(mail, () => finish(mail, "outbox", kept, null));
    return "kept";
  }
  const outgoing = {
    id: mail.id,
    to: mail.to,
    sender: staff ? "Paydesk" : displayName(mail.business_name),
    reply_to: staff ? null : mail.support_email,
    unsubscribe: unsubscribe ?? null,
    ...whole,
  };
  const sent = await observed(
    "mail",
    mail.template,
    () => sendBySmtp(outgoing),
    ({ outcome }) => outcome,
  );
  await write(mail, () => {
    if (sent.outcome === "sent") return finish(mail, "sent", kept, null);
    if (sent.outcome === "refused") return finish(mail, "failed", kept, sent.reason);
    return postpone(mail, kept, sent.reason);
  });
  return sent.outcome;
}

/**
 * Records the outcome, with retries while the database is unreachable: a sent mail without a recorded outcome would be
 * sent again after its lease.
 */
async function write(mail: Claimed, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries < 10) await sleep(1_000 * tries);
      else return log.error({ err: error, mail: mail.id }, "the outcome of a mail could not be recorded");
    }
}

/** A sender name: one line, no control characters, at most 100 characters. */
const displayName = (name: string): string =>
  [...name.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, 100).join("") || "Paydesk";

/** Sets a final status. Clears props that hold a secret. */
async function finish(mail: Claimed, status: "sent" | "outbox" | "failed", kept: Composed, error: string | null) {
  const props = renderedProps(mail);
  await queryRows(
    db,
    Prisma.sql`
    WITH finished AS (
      UPDATE email SET status = ${status}, next_attempt_at = NULL, last_error = ${error}, "to" = ${mail.to},
             props = coalesce(${props}::jsonb, props),
             subject = ${kept.subject}, html = ${kept.html}, text = ${kept.text},
             sent_at = CASE WHEN ${status}::text = 'sent' THEN business_time(business_id, livemode) END
       WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id, subscription_id
    )${afterPriceMail(mail, status !== "failed")}
    SELECT id FROM finished`,
  );
}

/**
 * A CTE after `finished` that says what became of the price that the mail announced; nothing for other mails, and for a copy that
 * repeats what the customer was told.
 * @param told true: it is the subscription's next price, from the day that the mail named. false: staff have to announce it again
 */
function afterPriceMail({ template, props }: Claimed, told: boolean): Prisma.Sql {
  const { price_change } = template === "price_changing" ? (props as PayerMails["price_changing"]).subscription : {};
  if (!price_change || price_change.told) return Prisma.empty;
  const { amount_cents, from } = price_change;
  const s = Prisma.sql`s`;
  const isIt = Prisma.sql`announced_amount_cents = ${amount_cents}::int`;
  const change = told
    ? Prisma.sql`
      UPDATE subscription s
         SET amount_cents = ${priceAt(s, openingAt(s, Prisma.sql`statement_timestamp()`))},
             next_amount_cents = ${amount_cents}::int, next_amount_from = ${from}::timestamptz,
             announced_amount_cents = CASE WHEN NOT ${isIt} THEN announced_amount_cents END,
             announced_amount_from = CASE WHEN NOT ${isIt} THEN announced_amount_from END
        FROM finished WHERE s.id = finished.subscription_id`
    : Prisma.sql`
      UPDATE subscription s SET announced_amount_from = NULL FROM finished
       WHERE s.id = finished.subscription_id AND ${isIt}`;
  return Prisma.sql`, price AS (${change})`;
}

/** The props that the mail was rendered with; null if they are those of the row. */
function renderedProps({ template, props, present }: Claimed): string | null {
  if (holdsSecret(template)) return "{}";
  return present || template === "notifications" ? JSON.stringify(props) : null;
}

async function drop(mail: Claimed, reason: DropReason): Promise<void> {
  // Before a gateway is connected no mail is sent. A customer without a card sees the price when they pay.
  const seesPrice = reason === "no_gateway" && !mail.present?.card;
  await queryRows(
    db,
    Prisma.sql`
    WITH finished AS (
      UPDATE email SET status = 'dropped', drop_reason = ${reason}, next_attempt_at = NULL, html = NULL, text = NULL
       WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id, subscription_id
    )${afterPriceMail(mail, seesPrice)}
    SELECT id FROM finished`,
  );
}

/** Delays a mail that the mail server was not asked to take, which does not count as an attempt. @param until null: not known */
async function postponeUntil(mail: Claimed, until: Date | null, reason: string): Promise<void> {
  const next = until ?? new Date(Date.now() + recheckMs);
  await queryRows(
    db,
    Prisma.sql`
    UPDATE email SET next_attempt_at = ${next}::timestamptz, last_error = ${reason}, delay_count = delay_count + 1
     WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id`,
  );
}

async function postpone(mail: Claimed, kept: Composed, reason: string): Promise<void> {
  const minutes = backoffMinutes[mail.attempt_count - mail.delay_count - 1];
  if (minutes === undefined) return finish(mail, "failed", kept, `Given up after three days. ${reason}`);
  await queryRows(
    db,
    Prisma.sql`
    UPDATE email SET next_attempt_at = clock_timestamp() + ${minutes}::int * interval '1 minute', last_error = ${reason},
           subject = ${kept.subject}, html = ${kept.html}, text = ${kept.text}
     WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id`,
  );
}
