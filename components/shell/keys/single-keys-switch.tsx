import { useTranslations } from "use-intl";
import { setSingleKeys, useSingleKeys } from "./single-keys";

export function SingleKeysSwitch() {
  const t = useTranslations("shell.keys.single");
  return (
    <label className="flex items-start gap-3">
      <input
        type="checkbox"
        checked={useSingleKeys()}
        onChange={(event) => setSingleKeys(event.target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-(--ink-brand)"
      />
      <span>
        <span className="block text-base text-kumo-default">{t("label")}</span>
        <span className="block text-sm leading-snug text-kumo-subtle">{t("hint")}</span>
      </span>
    </label>
  );
}
