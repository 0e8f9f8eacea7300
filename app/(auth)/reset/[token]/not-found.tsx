import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { Link } from "@/components/ui/link";
import { texts } from "@/messages/server";

/** With status 404: the link is unknown, used or expired. */
export default async function ClosedReset() {
  const t = await texts("auth.reset");
  return (
    <AuthFrame title={t("closed")} lead={t("closedText")}>
      <Link href="/forgot" className={linkClass}>
        {t("again")}
      </Link>
    </AuthFrame>
  );
}
