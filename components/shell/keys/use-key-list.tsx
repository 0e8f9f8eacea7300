import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";

const KeyList = onDemand(() => import("./key-list").then(({ KeyList }) => KeyList));

/** @returns a function that opens the list of all keys */
export function useKeyList(): () => void {
  const t = useTranslations("shell.keys");
  const { openSheet } = useDialogs();
  return () => openSheet({ title: t("title"), isForm: false, content: () => <KeyList /> });
}
