import { useState } from "react";
import { useTranslations } from "use-intl";
import type { ApiKey } from "@/lib/resources/api-keys/contract";

interface RemovalKeysProps {
  keys: ApiKey[];
  onKeep: (ids: string[]) => void;
}

/** The API keys that a removed member made: the chosen ones are revoked, the others become the caller's. */
export function RemovalKeys({ keys, onKeep }: RemovalKeysProps) {
  const t = useTranslations("team.member.keys");
  const [kept, setKept] = useState<string[]>([]);
  if (keys.length === 0) return <p>{t("none")}</p>;

  function toggle(id: string): void {
    const next = kept.includes(id) ? kept.filter((each) => each !== id) : [...kept, id];
    setKept(next);
    onKeep(next);
  }

  return (
    <fieldset className="mt-2 grid gap-2">
      <legend className="mb-2 font-medium text-kumo-default">{t("legend")}</legend>
      <div className="max-h-60 overflow-y-auto rounded-lg ring ring-kumo-line">
        {keys.map(({ _id, name, hint, livemode }) => (
          <label
            key={_id}
            className="flex cursor-pointer items-start gap-3 border-b border-kumo-hairline px-3 py-2.5 last:border-0"
          >
            <input
              type="checkbox"
              checked={!kept.includes(_id)}
              onChange={() => toggle(_id)}
              className="mt-1 size-4 shrink-0 accent-(--ink-brand)"
            />
            <span className="min-w-0">
              <span className="block wrap-anywhere text-kumo-default">{name}</span>
              <span className="block text-sm">
                {t(livemode ? "live" : "test")} · <span className="font-mono">{hint}</span>
              </span>
            </span>
          </label>
        ))}
      </div>
      <p>{t("hint")}</p>
    </fieldset>
  );
}
