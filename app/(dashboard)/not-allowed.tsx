import { buttonVariants } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { texts } from "@/messages/server";

/** In place of a page that the role may not open. Not Next's notFound: its page stays white until the scripts have run. */
export async function NotAllowed() {
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
