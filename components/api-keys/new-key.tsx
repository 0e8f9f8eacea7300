import { useTranslations } from "use-intl";
import { ShownOnce } from "@/components/ui/shown-once";

/** A key that was just made: its only showing. */
export function NewKey({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  const t = useTranslations("apiKeys.page");
  return (
    <ShownOnce title={t("newKey")} secret={secret} copy={t("copy")} onDone={onDone}>
      {t("newKeyText")}
    </ShownOnce>
  );
}
