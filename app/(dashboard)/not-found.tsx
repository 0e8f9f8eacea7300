import { buttonVariants } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { texts } from "@/messages/server";

/** Inside the frame, for a role that may not open the page. */
export default async function NotFound() {
  const t = await texts("ui.notFound");
  const back = (
    <a href="/" className={buttonVariants({ variant: "secondary" })}>
      {t("toDashboard")}
    </a>
  );
  return (
    <Notice as="h1" title={t("notAllowed")} action={back}>
      {t("askForRole")}
    </Notice>
  );
}
