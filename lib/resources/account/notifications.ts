import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import type { Role } from "@/lib/auth/scopes";
import { type Acting, acting } from "@/lib/core/acting";
import { clock, isoMicros, withClockOf } from "@/lib/core/clock";
import { type Db, db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import type { Unsubscribe } from "@/lib/outbox/notifications/unsubscribe";
import { availableTo, type Since, type Wanted, wantedByMail, wantedInBell } from "@/lib/outbox/notifications/wanted";
import { digestTime, isBundled, type NotificationKind } from "@/lib/resources/notifications/types";
import type { ChoiceInput, NotificationChoice } from "./notifications-contract";
import { personOf } from "./service";

interface Member {
  userId: string;
  role: Role;
  businessId: number;
  livemode: boolean;
}

/** @throws ApiError forbidden for a key */
function memberOf(actor: Actor): Member {
  if (!actor.session) throw new ApiError("forbidden");
  const { business_id: businessId, livemode } = tenantOf(actor);
  return { userId: personOf(actor).userId, role: actor.session.role, businessId, livemode };
}

export async function getChoice(tx: Db, actor: Actor): Promise<NotificationChoice> {
  const member = memberOf(actor);
  return shown(member, await current(tx, member));
}

/**
 * Replaces the choice, in this mode of the business. Events from before a kind was chosen stay left out.
 * @throws ValidationError for a kind that the member's role may not read
 */
export async function updateChoice(tx: Db, actor: Actor, input: ChoiceInput): Promise<NotificationChoice> {
  const member = memberOf(actor);
  const available = availableTo(member.role);
  for (const channel of ["bell", "mail"] as const)
    if (input[channel].some((kind) => !available.includes(kind)))
      throw new ValidationError({ [channel]: [`The ${channel} has a kind that your role does not allow.`] });
  return transaction(tx, async (tx) => {
    await lockState(tx, member);
    return shown(member, await replace(tx, member, input, acting()));
  });
}

/** Turns off the mails that an unsubscribe link names. Does nothing for a former member. */
export async function stopMails({ businessId, livemode, email, kinds }: Unsubscribe): Promise<void> {
  await withClockOf(businessId, livemode, () =>
    transaction(db, async (tx) => {
      const [person] = await queryRows<{ userId: string; role: Role }>(
        tx,
        Prisma.sql`
        SELECT m.user_id AS "userId", m.role FROM staff_user u JOIN membership m ON m.user_id = u.id
         WHERE u.email = ${email} AND m.business_id = ${businessId}::int`,
      );
      if (!person) return;
      const member = { ...person, businessId, livemode };
      await lockState(tx, member);
      const { bell, mail, digest } = kindsOf(await current(tx, member));
      const left = mail.filter((kind) => !kinds.includes(kind));
      const who = { ...acting(), type: "user", id: person.userId } as const;
      await replace(tx, member, { bell, mail: left, digest: digest && !kinds.includes("digest") }, who);
    }),
  );
}

const isOwn = ({ userId, businessId, livemode }: Member): Prisma.Sql => Prisma.sql`
  n.business_id = ${businessId}::int AND n.user_id = ${userId} AND n.livemode = ${livemode}::boolean`;

/** Two changes at once wait for each other. */
async function lockState(tx: Db, { userId, businessId, livemode }: Member): Promise<void> {
  await execute(
    tx,
    Prisma.sql`
    INSERT INTO notification_state AS n (business_id, user_id, livemode)
    VALUES (${businessId}::int, ${userId}, ${livemode}::boolean)
    ON CONFLICT (business_id, user_id, livemode) DO UPDATE SET digest = n.digest`,
  );
}

async function replace(tx: Db, member: Member, input: ChoiceInput, who: Acting): Promise<Current> {
  const was = await current(tx, member);
  const now = isoMicros(clock.now());
  await execute(
    tx,
    Prisma.sql`
    UPDATE notification_state n
       SET bell = ${JSON.stringify(sinceOf(input.bell, was.bell, now))}::jsonb,
           mail = ${JSON.stringify(sinceOf(input.mail, was.mail, now))}::jsonb,
           bundles = ${input.mail.some(isBundled)}::boolean, mailed_until = coalesce(n.mailed_until, ${now}::timestamptz),
           -- The first digest comes on the next morning.
           digest_day = CASE WHEN n.digest THEN n.digest_day
                             ELSE (${now}::timestamptz AT TIME ZONE b.timezone - ${digestTime}::interval)::date END,
           digest = ${input.digest}::boolean
      FROM business b WHERE b.id = n.business_id AND ${isOwn(member)}`,
  );
  const is = await current(tx, member);
  const difference = changed(kindsOf(was), kindsOf(is));
  const { businessId, livemode } = member;
  if (difference)
    await audit(tx, businessId, { action: "account.notifications_changed", livemode, who, ...difference });
  return is;
}

interface Current {
  bell: Wanted[];
  mail: Wanted[];
  digest: boolean;
}

async function current(tx: Db, member: Member): Promise<Current> {
  const [row] = await queryRows<{ bell: Since | null; mail: Since | null; digest: boolean }>(
    tx,
    Prisma.sql`SELECT n.bell, n.mail, n.digest FROM notification_state n WHERE ${isOwn(member)}`,
  );
  return {
    bell: wantedInBell(row?.bell ?? null, member),
    mail: wantedByMail(row?.mail ?? null, member.role),
    digest: row?.digest ?? false,
  };
}

/** A kind that was wanted already keeps its instant. A kind that was wanted by default has no beginning. */
function sinceOf(kinds: NotificationKind[], was: Wanted[], now: string): Since {
  const known = new Map(was.map(({ kind, since }) => [kind, since ?? isoMicros(new Date(0))]));
  return Object.fromEntries(kinds.map((kind) => [kind, known.get(kind) ?? now]));
}

const kindsOf = ({ bell, mail, digest }: Current): ChoiceInput => ({
  bell: bell.map(({ kind }) => kind),
  mail: mail.map(({ kind }) => kind),
  digest,
});

const shown = (member: Member, choice: Current): NotificationChoice => ({
  _id: member.userId,
  available: availableTo(member.role),
  ...kindsOf(choice),
});
