import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Created } from "@/components/ui/created";
import { useUnsaved } from "@/components/ui/unsaved";

interface SecretShownProps {
  title: string;
  secret: string;
  children: ReactNode;
  onDone: () => void;
}

/** Closing the sheet asks first: the secret is shown once. */
export function SecretShown({ title, secret, children, onDone }: SecretShownProps) {
  const t = useTranslations("webhooks.secret");
  useUnsaved(true, "secret");
  return (
    <Created title={title} text={children} value={secret}>
      <CopyButton text={secret} label={t("copy")} variant="primary">
        {t("copy")}
      </CopyButton>
      <Button variant="ghost" className="ignores-double-click" onClick={onDone}>
        {t("done")}
      </Button>
    </Created>
  );
}
