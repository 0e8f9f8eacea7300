"use client";

import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";

interface ErrorPageProps {
  error: Error & { digest?: string };
  /** Asks the server for the page again. Without that, an error of the server would only be shown again. */
  retry: () => void;
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const t = useTranslations("ui.broken");
  return (
    <MessagePage title={t("title")}>
      <p>
        {t("text")}
        {error.digest && (
          <span className="mt-2 block font-mono text-sm">{t("reference", { digest: error.digest })}</span>
        )}
      </p>
      <Button variant="secondary" onClick={retry}>
        {t("tryAgain")}
      </Button>
    </MessagePage>
  );
}
