import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { texts } from "@/messages/server";

/** With status 404: the invitation is unknown, accepted, withdrawn or expired. */
export default async function ClosedInvitation() {
  const t = await texts("auth.invitation");
  return (
    <AuthFrame title={t("closed")} lead={t("closedText")}>
      <a href="/login" className={linkClass}>
        {t("toSignIn")}
      </a>
    </AuthFrame>
  );
}
