import { notFound } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AcceptForm } from "@/components/auth/accept-form";
import { AuthFrame } from "@/components/auth/auth-frame";
import type { Role } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { invitationOf } from "@/lib/resources/team/invitations";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("invitation");

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await texts("auth.invitation");
  const roles = await texts("team.roles");
  const { token } = await params;
  const invitation = await invitationOf(db, token);
  if (!invitation) notFound();
  const { businessName, email, role, userId } = invitation;
  const session = await currentSession();
  const who = userId === null ? "new" : session?.userId === userId ? "here" : "known";
  return (
    <AuthFrame
      title={t("title", { business: businessName })}
      lead={t.rich("lead", {
        role: () => <b className="font-medium text-kumo-default">{roles(`${role as Role}.label`).toLowerCase()}</b>,
        email: () => <b className="font-medium wrap-anywhere text-kumo-default">{email}</b>,
      })}
    >
      <AcceptForm token={token} email={email} who={who} />
    </AuthFrame>
  );
}
