import { buttonVariants } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { texts } from "@/messages/server";

/** Inside the frame, for a role that may not open the page. */
export default async function NotFound() {
  const [t, titles] = await Promise.all([texts("ui.notFound"), texts("titles")]);
  const back = (
    <a href="/" className={buttonVariants({ variant: "secondary" })}>
      {t("toDashboard")}
    </a>
  );
  return (
    <Notice as="h1" title={titles("notAllowed")} action={back}>
      {t("askForRole")}
    </Notice>
  );
}
