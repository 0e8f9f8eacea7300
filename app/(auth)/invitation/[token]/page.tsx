import { notFound } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AcceptForm } from "@/components/auth/accept-form";
import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { loginPath } from "@/components/shell/next-path";
import { Link } from "@/components/ui/link";
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
  const { businessName, email, role } = invitation;
  const session = await currentSession();
  const signedIn = session?.userEmail === email;
  return (
    <AuthFrame
      title={t("title", { business: businessName })}
      lead={t.rich("lead", {
        role: () => <b className="font-medium text-kumo-default">{roles(`${role as Role}.label`).toLowerCase()}</b>,
        email: () => <b className="font-medium wrap-anywhere text-kumo-default">{email}</b>,
      })}
      foot={
        !session && (
          <>
            {t("haveAccount")}{" "}
            <Link href={loginPath(`/invitation/${token}`)} className={linkClass}>
              {t("signIn")}
            </Link>
          </>
        )
      }
    >
      <AcceptForm token={token} email={email} signedIn={signedIn} />
    </AuthFrame>
  );
}
