import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { allows, type Role, roleScopes } from "@/lib/auth/scopes";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import {
  isBundled,
  type KindWithOwnMail,
  kindNames,
  type NotificationKind,
  notificationKinds,
} from "@/lib/resources/notifications/types";

/** The chosen kinds, each with the time of the choice in the business's time. Earlier events are left out. */
export type Since = Partial<Record<NotificationKind, string>>;

/** A wanted kind. `since` is null for a kind that is wanted by default: no event is left out. */
export interface Wanted {
  kind: NotificationKind;
  since: string | null;
}

interface Member {
  role: Role;
  livemode: boolean;
}

/** The roles that get each kind's own mail by default. */
const mailRoles: Record<KindWithOwnMail, readonly Role[]> = {
  dispute_opened: ["owner", "admin"],
  dispute_ended: ["owner", "admin"],
  endpoint_failing: ["owner", "admin", "developer"],
  account_broken: ["owner"],
};

export const availableTo = (role: Role): NotificationKind[] =>
  kindNames.filter((kind) => allows(roleScopes[role], notificationKinds[kind].scope));

/** The kinds of notifications that the bell shows. A member who has chosen nothing gets those that need attention, in live mode only. */
export const wantedInBell = (chosen: Since | null, { role, livemode }: Member): Wanted[] =>
  wanted(chosen, role, (kind) => livemode && notificationKinds[kind].attention);

/** The kinds that the member gets mails about. By default those with a mail of their own, if `mailRoles` has the role; in both modes. */
export const wantedByMail = (chosen: Since | null, role: Role): Wanted[] =>
  wanted(chosen, role, (kind) => !isBundled(kind) && mailRoles[kind as KindWithOwnMail].includes(role));

function wanted(chosen: Since | null, role: Role, byDefault: (kind: NotificationKind) => boolean): Wanted[] {
  return availableTo(role).flatMap((kind): Wanted[] => {
    if (chosen) return chosen[kind] === undefined ? [] : [{ kind, since: chosen[kind] }];
    return byDefault(kind) ? [{ kind, since: null }] : [];
  });
}

/** The addresses of the members who want mails about a kind. */
export async function recipientsOf(tx: Db, tenant: Tenant, kind: KindWithOwnMail): Promise<string[]> {
  const { business_id, livemode } = tenantOf(tenant);
  const members = await queryRows<{ email: string; role: Role; mail: Since | null }>(
    tx,
    Prisma.sql`
    SELECT u.email, m.role, n.mail
      FROM membership m JOIN staff_user u ON u.id = m.user_id
      LEFT JOIN notification_state n
        ON n.business_id = m.business_id AND n.user_id = m.user_id AND n.livemode = ${livemode}::boolean
     WHERE m.business_id = ${business_id}::int
     ORDER BY u.email`,
  );
  return members
    .filter(({ role, mail }) => wantedByMail(mail, role).some((each) => each.kind === kind))
    .map(({ email }) => email);
}
