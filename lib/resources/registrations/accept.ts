import { hashPassword } from "@/lib/auth/password";
import type { Role } from "@/lib/auth/scopes";
import { findSession } from "@/lib/auth/session";
import { type Db, db, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, type FieldErrors, ValidationError } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";
import { newId } from "@/lib/core/id";
import { newPassword } from "@/lib/resources/account/contract";
import { invitationOf, joinBusiness, type OpenInvitation } from "@/lib/resources/team/invitations";
import { dropUnproven } from "./claim";
import type { Acceptance, AcceptInput } from "./contract";
import { assertStrong } from "./service";

/**
 * Accepts an invitation. Its token went to the mailbox only, so it proves that the address is the caller's. The response does
 * not tell whether the address has an account.
 * @throws ApiError invitation_not_open; ValidationError
 */
export async function acceptInvitation(input: AcceptInput, sessionId: string | null): Promise<Acceptance> {
  const invitation = await invitationOf(db, input.token);
  if (!invitation) throw new ApiError("invitation_not_open");
  const session = sessionId ? await findSession(sessionId) : null;
  if (session?.userEmail === invitation.email)
    await transaction(db, (tx) => joinBusiness(tx, invitation, session.userId));
  else await acceptByMail(invitation, input);
  const { id, email, role, businessId: business_id, businessName: business_name } = invitation;
  return { _id: id, email, role: role as Role, business_id, business_name };
}

async function acceptByMail(invitation: OpenInvitation, { name, password }: AcceptInput): Promise<void> {
  const errors: FieldErrors = {};
  if (name === null) errors.name = [fieldMessages.required("name")];
  const judged = newPassword.safeParse(password);
  if (password === null) errors.password = [fieldMessages.required("password")];
  else if (!judged.success) errors.password = judged.error.issues.map(({ message }) => message);
  if (name === null || password === null || !judged.success) throw new ValidationError(errors);
  await assertStrong(password, [name, invitation.email, invitation.businessName]);
  const given = { name, password_hash: await hashPassword(password) };
  try {
    await transaction(db, async (tx) => joinBusiness(tx, invitation, await accountOf(tx, invitation.email, given)));
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("invitation_not_open"); // accepted twice at once
    throw error;
  }
}

/**
 * The account of an address whose mailbox is the caller's. A confirmed account keeps its name and password: the mailbox alone
 * must not open it. An unconfirmed one is not its registrant's any more. Otherwise a new one is created.
 */
async function accountOf(tx: Db, email: string, given: { name: string; password_hash: string }): Promise<string> {
  const [user] = await queryRows<{ id: string; verified: boolean }>(
    tx,
    Prisma.sql`
    SELECT id, email_verified_at IS NOT NULL AS verified FROM staff_user WHERE email = ${email} FOR UPDATE`,
  );
  if (user?.verified) return user.id;
  if (user) {
    await dropUnproven(tx, user.id);
    await tx.user.update({ where: { id: user.id }, data: given });
    return user.id;
  }
  const { id } = await tx.user.create({ data: { id: newId("usr"), email, ...given } });
  return id;
}
