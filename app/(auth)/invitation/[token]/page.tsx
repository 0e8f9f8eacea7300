import type { Metadata } from "next";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame } from "@/components/auth/auth-frame";
import { db } from "@/lib/db";
import { invitationOf } from "@/lib/team/invitations";
import { AcceptForm } from "./accept-form";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await invitationOf(db, token);
  if (!invitation)
    return (
      <AuthFrame
        title="This invitation is no longer open"
        lead="It was accepted, withdrawn, or is more than seven days old. Ask whoever invited you for another one."
      >
        <a href="/login" className="font-medium text-(--ink-brand) underline underline-offset-3">
          To the sign-in
        </a>
      </AuthFrame>
    );
  const { businessName, email, role, userId } = invitation;
  const session = await currentSession();
  const who = userId === null ? "new" : session?.userId === userId ? "here" : "known";
  return (
    <AuthFrame
      title={`Join ${businessName}`}
      lead={
        <>
          You are invited as <b className="font-medium text-kumo-default">{role}</b>, with the e-mail{" "}
          <b className="font-medium wrap-anywhere text-kumo-default">{email}</b>.
        </>
      }
    >
      <AcceptForm token={token} email={email} who={who} />
    </AuthFrame>
  );
}
