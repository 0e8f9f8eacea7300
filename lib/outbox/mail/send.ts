import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { holdsSecret, type Template, templates } from "@/lib/resources/emails/templates";
import { type Brand, brandSql } from "@/lib/resources/settings/brand";
import { propsOf } from "./enqueue";
import { type Lane, type Share, Turns } from "./lanes";
import { connections, hasSmtp, type Sent, sendBySmtp } from "./smtp";

/** In whose name a mail is written. */
export interface Letterhead {
  business_name: string;
  /** IANA name, for the dates. */
  timezone: string;
  /** Where answers go. */
  support_email: string | null;
  livemode: boolean;
  brand: Brand;
}

export interface Composed {
  subject: string;
  html: string;
  text: string;
}

/** Writes a mail from what it was queued with (components/mail-templates/compose.tsx). */
export interface Writer {
  compose(template: Template, props: object, head: Letterhead): Promise<Composed>;
  /** The first line alone: much less work. */
  subject(template: Template, props: object, head: Letterhead): string;
}

interface Claimed extends Letterhead, Lane {
  id: string;
  template: Template;
  to: string;
  props: object;
  attempt_count: number;
}

/** How long a mail belongs to who claimed it; somebody killed meanwhile has lost it then. Longer than sending lasts. */
const leaseSeconds = 180;

/** Minutes until the next try, by how many there were: some three days in all. */
const pauses = [1, 5, 15, 60, 120, 240, 480, 720, 720, 720, 720, 720];

/** Milliseconds after which it is looked again who has something due, also while there is much to do. */
const lookEvery = 1_000;

/** The claim counts the attempt, and so is the only one that can end it: whoever comes back late writes nothing. */
async function claim(shares: Share[]): Promise<Claimed[]> {
  const businesses = shares.map(({ business_id }) => business_id);
  const staff = shares.map((share) => share.staff);
  const most = shares.map((share) => share.most);
  return queryRows<Claimed>(
    db,
    Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.id
        FROM unnest(${businesses}::int[], ${staff}::boolean[], ${most}::int[]) AS lane(business_id, staff, most)
       CROSS JOIN LATERAL (
         SELECT id FROM email
          WHERE status = 'queued' AND staff = lane.staff AND business_id = lane.business_id
            AND next_attempt_at <= statement_timestamp()
          ORDER BY next_attempt_at LIMIT lane.most FOR UPDATE SKIP LOCKED) AS d
    )
    UPDATE email e SET attempt_count = e.attempt_count + 1,
                       next_attempt_at = clock_timestamp() + ${leaseSeconds}::int * interval '1 second'
      FROM due, business b WHERE e.id = due.id AND b.id = e.business_id
    RETURNING e.id, e.business_id, e.staff, e.template, e.to, e.props, e.attempt_count, e.livemode, b.name AS business_name, b.timezone,
              b.support_email, ${Prisma.raw(brandSql)} AS brand`,
  );
}

/**
 * Does what is due, until nothing is: of each business in turn, mails to staff first. Any number of processes may: each mail is claimed by one of them, and by another if
 * that one dies. Without SMTP_URL what payers would get is kept in the outbox.
 */
export async function sendDueMails(writer: Writer, stopping: AbortSignal): Promise<void> {
  const turns = new Turns();
  for (let nextLook = 0; !stopping.aborted; ) {
    if (turns.none || Date.now() >= nextLook) {
      await turns.look();
      nextLook = Date.now() + lookEvery;
    }
    if (turns.none) return;
    const shares = turns.shares(2 * connections);
    const mails = await claim(shares);
    turns.took(shares, mails);
    const ends = await Promise.all(mails.map((mail) => deliver(writer, mail)));
    if (ends.includes("down")) {
      // One after another would only find out the same.
      log.warn({ mails: mails.length }, "the mail server cannot be reached");
      return;
    }
  }
}

async function deliver({ compose }: Writer, mail: Claimed): Promise<Sent["outcome"] | "kept"> {
  const secret = holdsSecret(mail.template);
  const staff = templates[mail.template] === "staff";
  let kept: Composed;
  let whole: Composed;
  try {
    const props = propsOf(mail);
    kept = await compose(mail.template, secret ? { ...props, link: null } : props, mail);
    whole = secret ? await compose(mail.template, props, mail) : kept;
  } catch (error) {
    // Our own fault, or another APP_SECRET: what is mended sends it.
    log.error({ err: error, mail: mail.id, template: mail.template }, "a mail could not be written");
    await write(mail, () => postpone(mail, null, "It could not be written."));
    return "later";
  }
  if (!hasSmtp() || !(mail.livemode || staff)) {
    await write(mail, () => finish(mail, "outbox", kept, null));
    return "kept";
  }
  const sent = await sendBySmtp({
    id: mail.id,
    to: mail.to,
    sender: staff ? "Paydesk" : displayName(mail.business_name),
    reply_to: staff ? null : mail.support_email,
    ...whole,
  });
  await write(mail, () => {
    if (sent.outcome === "sent") return finish(mail, "sent", kept, null);
    if (sent.outcome === "refused") return finish(mail, "failed", kept, sent.reason);
    return postpone(mail, kept, sent.reason);
  });
  return sent.outcome;
}

/**
 * Writes down how it went, also when the database is away for a moment: a mail that was sent and is not known to be would be
 * sent again when its claim ends.
 */
async function write(mail: Claimed, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries < 10) await sleep(1_000 * tries);
      else return log.error({ err: error, mail: mail.id }, "how a mail went could not be written down");
    }
}

/** A name before the address: a line without controls, and not longer than programs show. */
const displayName = (name: string): string =>
  [...name.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, 100).join("") || "Paydesk";

/** For good. What held a secret is forgotten. */
async function finish(mail: Claimed, status: "sent" | "outbox" | "failed", kept: Composed, error: string | null) {
  const props = holdsSecret(mail.template) ? Prisma.sql`'{}'::jsonb` : Prisma.sql`props`;
  await queryRows(
    db,
    Prisma.sql`
    UPDATE email SET status = ${status}, next_attempt_at = NULL, last_error = ${error}, props = ${props},
           subject = ${kept.subject}, html = ${kept.html}, text = ${kept.text},
           sent_at = CASE WHEN ${status}::text = 'sent' THEN clock_timestamp() END
     WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id`,
  );
}

async function postpone(mail: Claimed, kept: Composed | null, reason: string): Promise<void> {
  const minutes = pauses[mail.attempt_count - 1];
  if (minutes === undefined && kept) return finish(mail, "failed", kept, `Given up after three days. ${reason}`);
  await queryRows(
    db,
    Prisma.sql`
    UPDATE email SET next_attempt_at = clock_timestamp() + ${minutes ?? 720}::int * interval '1 minute', last_error = ${reason},
           subject = coalesce(${kept?.subject ?? null}, subject), html = coalesce(${kept?.html ?? null}, html),
           text = coalesce(${kept?.text ?? null}, text)
     WHERE id = ${mail.id} AND status = 'queued' AND attempt_count = ${mail.attempt_count}::int RETURNING id`,
  );
}
