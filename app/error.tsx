"use client";

import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations("ui.broken");
  return (
    <MessagePage title={t("title")}>
      <p>
        {t("text")}
        {error.digest && (
          <span className="mt-2 block font-mono text-sm">{t("reference", { digest: error.digest })}</span>
        )}
      </p>
      <Button variant="secondary" onClick={reset}>
        {t("tryAgain")}
      </Button>
    </MessagePage>
  );
}
