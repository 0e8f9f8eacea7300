import { buttonVariants } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("notFound");

export default async function NotFound() {
  const t = await texts("ui.notFound");
  return (
    <MessagePage title={t("title")}>
      <p>{t("text")}</p>
      <a href="/" className={buttonVariants({ variant: "secondary" })}>
        {t("toDashboard")}
      </a>
    </MessagePage>
  );
}
