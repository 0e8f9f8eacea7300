import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, execute, Prisma, planAndQueryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { iso } from "@/lib/http/list";
import { availableTo, wantedInBell } from "@/lib/outbox/notifications/wanted";
import { personOf } from "@/lib/resources/account/service";
import { maxUnread, type Notifications, notificationDays, type ReadInput, shownCount } from "./contract";
import { type NotificationKind, notificationKinds } from "./types";
import { failingEndpointWords, notificationWords } from "./words";

/** An event's time is earlier than its commit. Later notifications are marked as read one by one, so that none is missed. */
const commitMs = 60_000;

interface Row {
  id: string;
  /** What read_ids holds of it: the id; of a failing endpoint with the time, because it may fail again. */
  mark: string;
  kind: NotificationKind;
  /** The event's; null for a failing endpoint. */
  type: string | null;
  resource_id: string;
  created_at: string;
  read: boolean;
  /** The event's data, or a failing endpoint's URL and status; null if it is not shown. */
  data: Record<string, unknown> | null;
  read_until: string | null;
}

export async function getNotifications(tx: Db, actor: Actor): Promise<Notifications> {
  const rows = await newest(tx, actor);
  return {
    _id: personOf(actor).userId,
    unread: rows.filter(({ read }) => !read).length,
    notifications: rows.slice(0, shownCount).map(({ id, kind, type, resource_id, created_at, read, data }) => ({
      _id: id,
      kind,
      ...(type === null
        ? failingEndpointWords(String(data?.url), data?.status === "disabled")
        : notificationWords(type, data ?? {})),
      resource_id,
      read,
      created_at,
    })),
  };
}

/**
 * Marks single notifications as read, or all up to an instant.
 * @throws ValidationError unless exactly one of the two is given
 */
export async function markRead(tx: Db, actor: Actor, { ids, until }: ReadInput): Promise<Notifications> {
  if ((ids === null) === (until === null)) throw new ValidationError({ ids: ["Send either ids or until."] });
  const { userId } = personOf(actor);
  const { business_id, livemode } = tenantOf(actor);
  return transaction(tx, async (tx) => {
    // Locks the row: two tabs may mark at once.
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO notification_state AS n (business_id, user_id, livemode)
      VALUES (${business_id}::int, ${userId}, ${livemode}::boolean)
      ON CONFLICT (business_id, user_id, livemode) DO UPDATE SET read_until = n.read_until`,
    );
    const rows = await newest(tx, actor);
    const before = rows[0]?.read_until ?? "";
    const upTo = until === null ? "" : instantOf(until);
    const settled = isoMicros(new Date(clock.now().getTime() - commitMs));
    const [position = ""] = [before, upTo < settled ? upTo : settled].sort().reverse();
    const readIds = rows
      .filter(({ id, read, created_at }) => created_at > position && (read || created_at <= upTo || ids?.includes(id)))
      .map(({ mark }) => mark);
    await execute(
      tx,
      Prisma.sql`
      UPDATE notification_state
         SET read_until = coalesce(nullif(${position}::text, '')::timestamptz, read_until), read_ids = ${readIds}::text[]
       WHERE business_id = ${business_id}::int AND user_id = ${userId} AND livemode = ${livemode}::boolean`,
    );
    return getNotifications(tx, actor);
  });
}

const instantOf = (at: string): string => (/\.\d{6}Z$/.test(at) ? at : isoMicros(new Date(at)));

/**
 * The newest notifications, in one statement: of each type of event it reads at most `maxUnread` entries of the index by type, however
 * many events the business has.
 */
async function newest(tx: Db, actor: Actor): Promise<Row[]> {
  const { userId } = personOf(actor);
  const role = actor.session?.role;
  if (!role) throw new ApiError("forbidden");
  const { business_id, livemode } = tenantOf(actor);
  const byDefault = wantedInBell(null, { role, livemode }).map(({ kind }) => kind);
  const kinds = availableTo(role).flatMap((kind) => {
    const types: readonly (string | null)[] = notificationKinds[kind].events;
    const by_default = byDefault.includes(kind);
    return (types.length > 0 ? types : [null]).map((type) => ({ kind, type, by_default }));
  });
  const oldest = new Date(clock.now().getTime() - notificationDays * 86_400_000);
  const isOwn = (alias: string) =>
    Prisma.sql`${Prisma.raw(alias)}.business_id = ${business_id}::int AND ${Prisma.raw(alias)}.livemode = ${livemode}::boolean`;
  return planAndQueryRows<Row>(
    tx,
    Prisma.sql`
    WITH state AS MATERIALIZED (
      SELECT n.bell, n.read_ids, coalesce(n.read_until, m.created_at) AS read_until
        FROM membership m LEFT JOIN notification_state n
          ON n.business_id = m.business_id AND n.user_id = m.user_id AND n.livemode = ${livemode}::boolean
       WHERE m.business_id = ${business_id}::int AND m.user_id = ${userId}
    ), wanted AS MATERIALIZED (
      SELECT k.kind, k.type, (s.bell ->> k.kind)::timestamptz AS since
        FROM json_to_recordset(${JSON.stringify(kinds)}::json) AS k(kind text, type text, by_default boolean), state s
       WHERE CASE WHEN s.bell IS NULL THEN k.by_default ELSE s.bell ->> k.kind IS NOT NULL END
    ), found AS MATERIALIZED (
      (SELECT e.id, e.id AS mark, w.kind, e.type, w.since, e.created_at
         FROM wanted w CROSS JOIN LATERAL (
           SELECT e.id, e.type, e.created_at FROM event e
            WHERE ${isOwn("e")} AND e.type = w.type AND e.created_at > ${oldest}::timestamptz
            ORDER BY e.created_at DESC, e.id DESC LIMIT ${maxUnread}::int) AS e)
      UNION ALL
      SELECT f.id, f.id || ' ' || extract(epoch FROM f.warned_at), w.kind, NULL, w.since,
             on_business_clock(f.warned_at, f.business_id, f.livemode)
        FROM wanted w JOIN webhook_endpoint f ON w.kind = 'endpoint_failing'
       WHERE ${isOwn("f")} AND f.warned_at IS NOT NULL AND f.deleted_at IS NULL
         AND f.disabled_reason IS DISTINCT FROM 'by_hand'
       ORDER BY created_at DESC, id DESC LIMIT ${maxUnread}::int
    ), ordered AS (
      SELECT f.*, row_number() OVER (ORDER BY f.created_at DESC, f.id DESC) AS place FROM found f
    )
    SELECT o.id, o.mark, o.kind, o.type, coalesce(e.resource_id, o.id) AS resource_id, ${iso("o.created_at")} AS created_at,
           ${iso("s.read_until")} AS read_until,
           NOT (o.created_at > greatest(s.read_until, o.since) AND NOT coalesce(o.mark = ANY(s.read_ids), false)) AS read,
           coalesce(e.data, CASE WHEN o.type IS NULL THEN (
             SELECT jsonb_build_object('url', f.url, 'status', f.status) FROM webhook_endpoint f WHERE f.id = o.id AND ${isOwn("f")}) END) AS data
      FROM ordered o CROSS JOIN state s
      -- The LIMIT makes it a lookup for each row, instead of a hash of all events.
      LEFT JOIN LATERAL (
        SELECT e.resource_id, e.data FROM event e
         WHERE e.id = o.id AND ${isOwn("e")} AND o.place <= ${shownCount}::int LIMIT 1) AS e ON true
     ORDER BY o.place`,
  );
}
