import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { texts } from "@/messages/server";

/** The page, with status 404, for a link of a mail that is unknown, used, withdrawn or expired. */
export const closedLink = (area: "auth.invitation" | "auth.reset", href: string) =>
  async function ClosedLink() {
    const t = await texts(area);
    return (
      <AuthFrame title={t("closed")} lead={t("closedText")}>
        <a href={href} className={`text-base ${linkClass}`}>
          {t("nextStep")}
        </a>
      </AuthFrame>
    );
  };
