import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import type { Role } from "@/lib/auth/scopes";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { availableTo, type Since, type Wanted, wantedByMail, wantedInBell } from "@/lib/outbox/notifications/wanted";
import { digestTime, isBundled, type NotificationKind } from "@/lib/resources/notifications/types";
import type { ChoiceInput, NotificationChoice } from "./notifications-contract";
import { personOf } from "./service";

export async function getChoice(tx: Db, actor: Actor): Promise<NotificationChoice> {
  return shown(actor, await current(tx, actor));
}

/**
 * Replaces the choice, in this mode of the business. What happened before a kind was chosen stays unsaid.
 * @throws ValidationError for a kind that the person's role may not read
 */
export async function updateChoice(tx: Db, actor: Actor, input: ChoiceInput): Promise<NotificationChoice> {
  const { userId } = personOf(actor);
  const { business_id, livemode } = tenantOf(actor);
  const available = availableTo(roleOf(actor));
  for (const channel of ["bell", "mail"] as const)
    if (input[channel].some((kind) => !available.includes(kind)))
      throw new ValidationError({ [channel]: [`The ${channel} has a kind that your role does not allow.`] });
  return transaction(tx, async (tx) => {
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO notification_state AS n (business_id, user_id, livemode)
      VALUES (${business_id}::int, ${userId}, ${livemode}::boolean)
      ON CONFLICT (business_id, user_id, livemode) DO UPDATE SET digest = n.digest`,
    );
    const was = await current(tx, actor);
    const now = isoMicros(clock.now());
    const bundles = input.mail.some(isBundled);
    await execute(
      tx,
      Prisma.sql`
      UPDATE notification_state n
         SET bell = ${JSON.stringify(sinceOf(input.bell, was.bell, now))}::jsonb,
             mail = ${JSON.stringify(sinceOf(input.mail, was.mail, now))}::jsonb,
             bundles = ${bundles}::boolean, mailed_until = coalesce(n.mailed_until, ${now}::timestamptz),
             -- The first digest comes on the next morning.
             digest_day = CASE WHEN n.digest THEN n.digest_day
                               ELSE (${now}::timestamptz AT TIME ZONE b.timezone - ${digestTime}::interval)::date END,
             digest = ${input.digest}::boolean
        FROM business b
       WHERE b.id = n.business_id
         AND n.business_id = ${business_id}::int AND n.user_id = ${userId} AND n.livemode = ${livemode}::boolean`,
    );
    const is = await current(tx, actor);
    const difference = changed(kindsOf(was), kindsOf(is));
    if (difference) await audit(tx, business_id, { action: "account.notifications_changed", livemode, ...difference });
    return shown(actor, is);
  });
}

interface Current {
  bell: Wanted[];
  mail: Wanted[];
  digest: boolean;
}

async function current(tx: Db, actor: Actor): Promise<Current> {
  const { userId } = personOf(actor);
  const { business_id, livemode } = tenantOf(actor);
  const role = roleOf(actor);
  const [row] = await queryRows<{ bell: Since | null; mail: Since | null; digest: boolean }>(
    tx,
    Prisma.sql`
    SELECT bell, mail, digest FROM notification_state
     WHERE business_id = ${business_id}::int AND user_id = ${userId} AND livemode = ${livemode}::boolean`,
  );
  return {
    bell: wantedInBell(row?.bell ?? null, { role, livemode }),
    mail: wantedByMail(row?.mail ?? null, role),
    digest: row?.digest ?? false,
  };
}

function roleOf({ session }: Actor): Role {
  if (!session) throw new ApiError("forbidden");
  return session.role;
}

/** A kind that was wanted already keeps its instant. One that was wanted by default has been so for ever. */
function sinceOf(kinds: NotificationKind[], was: Wanted[], now: string): Since {
  const known = new Map(was.map(({ kind, since }) => [kind, since ?? isoMicros(new Date(0))]));
  return Object.fromEntries(kinds.map((kind) => [kind, known.get(kind) ?? now]));
}

const kindsOf = ({ bell, mail, digest }: Current) => ({
  bell: bell.map(({ kind }) => kind),
  mail: mail.map(({ kind }) => kind),
  digest,
});

const shown = (actor: Actor, choice: Current): NotificationChoice => ({
  _id: personOf(actor).userId,
  available: availableTo(roleOf(actor)),
  ...kindsOf(choice),
});
