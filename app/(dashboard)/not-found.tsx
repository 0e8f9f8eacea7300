import { ButtonLink } from "@/components/ui/link";
import { Message } from "@/components/ui/message-page";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("notFound");

/** Also for a page that the person's role may not open. */
export default async function NotFound() {
  const t = await texts("ui.notFound");
  return (
    <div className="grid place-items-center py-10">
      <Message title={t("title")}>
        <p>{t("inDashboard")}</p>
        <ButtonLink href="/">{t("toDashboard")}</ButtonLink>
      </Message>
    </div>
  );
}
