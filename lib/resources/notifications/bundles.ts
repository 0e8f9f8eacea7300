import { allLimits, takeAll } from "@/lib/auth/limits";
import type { Role } from "@/lib/auth/scopes";
import { type Db, db, execute, Prisma, planAndQueryRows, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { iso } from "@/lib/http/list";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { type Since, wantedByMail } from "@/lib/outbox/notifications/wanted";
import { type NotificationLine, type OtherNotifications, sumOfOthers } from "@/lib/resources/emails/templates";
import { isBundled, kindNames, type NotificationKind, notificationKinds, pageOfNotification } from "./types";
import { notificationWords } from "./words";

/** A member gets at most one mail in this time. Events in between are in the next mail. */
const pauseMinutes = 5;
/** An event's time is earlier than its commit: a mail has only events that are older. */
const commitSeconds = 60;
const maxLines = 20;
/** Events of each type that a mail counts. */
const maxCounted = 200;
/** Members that one statement checks. */
const batchSize = 200;

interface Member {
  business_id: number;
  user_id: string;
  livemode: boolean;
}

const bundledTypes = kindNames.filter(isBundled).flatMap((kind) => {
  const types: readonly string[] = notificationKinds[kind].events;
  return types.map((type) => ({ kind, type }));
});

/** Queues a mail to each member with new events of the kinds that are sent in bundles. Any number of workers may run it. */
export async function sendBundles(stopping?: AbortSignal): Promise<void> {
  let last: Member = { business_id: 0, user_id: "", livemode: false };
  for (;;) {
    const members = await nextMembers(last);
    for (const { due, ...member } of members)
      if (due && !stopping?.aborted)
        await sendBundle(member).catch((err: unknown) =>
          log.error({ err, business: member.business_id, user: member.user_id }, "a member could not be mailed"),
        );
    const next = members.at(-1);
    if (members.length < batchSize || !next || stopping?.aborted) return;
    last = next;
  }
}

const mayBeMailed = Prisma.sql`
  n.bundles AND (n.mailed_at IS NULL OR n.mailed_at <= clock_timestamp() - make_interval(mins => ${pauseMinutes}::int))`;
const until = Prisma.sql`business_time(n.business_id, n.livemode) - make_interval(secs => ${commitSeconds}::int)`;

/** The members after `last`, and whether there are new events for them: one lookup in the index by type for each type. */
const nextMembers = (last: Member): Promise<(Member & { due: boolean })[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT n.business_id, n.user_id, n.livemode, ${mayBeMailed} AND EXISTS (
             SELECT FROM json_to_recordset(${JSON.stringify(bundledTypes)}::json) AS k(kind text, type text)
              CROSS JOIN LATERAL (
                SELECT FROM event e
                 WHERE e.business_id = n.business_id AND e.livemode = n.livemode AND e.type = k.type
                   AND e.created_at > greatest(n.mailed_until, (n.mail ->> k.kind)::timestamptz) AND e.created_at <= ${until}
                 ORDER BY e.created_at LIMIT 1) AS first
              WHERE n.mail ->> k.kind IS NOT NULL) AS due
      FROM (SELECT * FROM notification_state
             WHERE bundles AND (business_id, user_id, livemode)
                   > (${last.business_id}::int, ${last.user_id}, ${last.livemode}::boolean)
             ORDER BY business_id, user_id, livemode LIMIT ${batchSize}::int) AS n
     ORDER BY n.business_id, n.user_id, n.livemode`,
  );

interface Happened {
  id: string;
  kind: NotificationKind;
  type: string;
  resource_id: string;
  created_at: string;
  data: Record<string, unknown>;
}

/** Queues the mail and moves `mailed_until`, in one transaction. Skips a row that another worker has locked. */
const sendBundle = (member: Member): Promise<void> =>
  transaction(db, async (tx) => {
    const { business_id, user_id, livemode } = member;
    const [state] = await queryRows<{ mail: Since; role: Role; email: string; mailed_until: string; until: string }>(
      tx,
      Prisma.sql`
      SELECT n.mail, m.role, u.email, ${iso("n.mailed_until")} AS mailed_until,
             to_char((${until}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS until
        FROM notification_state n
        JOIN membership m ON m.business_id = n.business_id AND m.user_id = n.user_id
        JOIN staff_user u ON u.id = n.user_id
       WHERE n.business_id = ${business_id}::int AND n.user_id = ${user_id} AND n.livemode = ${livemode}::boolean
         AND ${mayBeMailed}
         FOR UPDATE OF n SKIP LOCKED`,
    );
    if (!state) return;
    const wanted = wantedByMail(state.mail, state.role).filter(({ kind }) => isBundled(kind));
    const types = bundledTypes.flatMap(({ kind, type }) =>
      wanted.filter((each) => each.kind === kind).map(({ since }) => ({ kind, type, since })),
    );
    const found = await eventsOf(tx, member, types, state);
    const retryAt = found.length > 0 ? await takeAll([limitOf(member)]) : null;
    const lines = retryAt ? [] : found.slice(0, maxLines).map((event) => lineOf(member, event));
    const others = othersOf(found);
    if (lines.length > 0)
      await queueStaffMail(tx, {
        template: "notifications",
        to: state.email,
        businessId: business_id,
        livemode,
        props: {
          lines,
          more: sumOfOthers(others),
          others,
          link: dashboardLink({ businessId: business_id, livemode }, "/"),
        },
      });
    // Over the limit, the events wait for the next mail.
    await execute(
      tx,
      Prisma.sql`
      UPDATE notification_state
         SET mailed_until = CASE WHEN ${retryAt === null}::boolean THEN ${state.until}::timestamptz ELSE mailed_until END,
             mailed_at = CASE WHEN ${lines.length > 0}::boolean THEN clock_timestamp()
                              ELSE coalesce(${retryAt}::timestamptz - make_interval(mins => ${pauseMinutes}::int), mailed_at) END
       WHERE business_id = ${business_id}::int AND user_id = ${user_id} AND livemode = ${livemode}::boolean`,
    );
  });

const limitOf = ({ business_id, user_id, livemode }: Member) => ({
  from: allLimits().notifications,
  key: `${business_id} ${user_id} ${livemode}`,
});

/** The events since the last mail, newest first. `data` is read only for the events that the mail lists; the others are counted. */
const eventsOf = (
  tx: Db,
  { business_id, livemode }: Member,
  types: { kind: NotificationKind; type: string; since: string | null }[],
  { mailed_until, until }: { mailed_until: string; until: string },
): Promise<Happened[]> =>
  planAndQueryRows<Happened>(
    tx,
    Prisma.sql`
    WITH found AS MATERIALIZED (
      SELECT e.id, k.kind, k.type, e.created_at
        FROM json_to_recordset(${JSON.stringify(types)}::json) AS k(kind text, type text, since timestamptz)
       -- One more than is counted says whether there are more.
       CROSS JOIN LATERAL (
         SELECT e.id, e.created_at FROM event e
          WHERE e.business_id = ${business_id}::int AND e.livemode = ${livemode}::boolean AND e.type = k.type
            AND e.created_at > greatest(${mailed_until}::timestamptz, k.since) AND e.created_at <= ${until}::timestamptz
          ORDER BY e.created_at DESC, e.id DESC LIMIT ${maxCounted + 1}::int) AS e
    ), ordered AS (
      SELECT f.*, row_number() OVER (ORDER BY f.created_at DESC, f.id DESC) AS place FROM found f
    )
    SELECT o.id, o.kind, o.type, e.resource_id, ${iso("o.created_at")} AS created_at, e.data
      FROM ordered o
      -- The LIMIT makes it a lookup for each row, instead of a hash of all events.
      LEFT JOIN LATERAL (
        SELECT e.resource_id, e.data FROM event e
         WHERE e.id = o.id AND e.business_id = ${business_id}::int AND e.livemode = ${livemode}::boolean
           AND o.place <= ${maxLines}::int LIMIT 1) AS e ON true
     ORDER BY o.place`,
  );

/** @param found all events that were read, newest first */
function othersOf(found: Happened[]): OtherNotifications[] {
  const types = new Map<string, OtherNotifications & { read: number }>();
  for (const [place, { kind, type }] of found.entries()) {
    const others = types.get(type) ?? { kind, count: 0, is_lower_bound: false, read: 0 };
    types.set(type, others);
    others.read++;
    if (others.read > maxCounted) others.is_lower_bound = true;
    else if (place >= maxLines) others.count++;
  }
  return [...types.values()].filter(({ count }) => count > 0).map(({ read: _, ...others }) => others);
}

function lineOf({ business_id, livemode }: Member, event: Happened): NotificationLine {
  const { kind, type, data, resource_id, created_at } = event;
  const link = dashboardLink({ businessId: business_id, livemode }, pageOfNotification(kind, resource_id));
  return { kind, ...notificationWords(type, data), created_at, link };
}
