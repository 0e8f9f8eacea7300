import { LinkButton } from "@cloudflare/kumo/components/button";
import { MessagePage } from "@/components/ui/message-page";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("notFound");

export default async function NotFound() {
  const t = await texts("ui.notFound");
  return (
    <MessagePage title={t("title")}>
      <p>{t("text")}</p>
      <LinkButton href="/" variant="secondary">
        {t("toDashboard")}
      </LinkButton>
    </MessagePage>
  );
}
