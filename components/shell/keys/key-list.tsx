import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { creations } from "@/components/shell/creations";
import { useMay } from "@/components/shell/may";
import { entries } from "@/components/shell/nav-links";
import { SingleKeysSwitch } from "./single-keys-switch";

/** Every key of the dashboard, and the switch for those without Ctrl. */
export function KeyList() {
  const t = useTranslations("shell.keys");
  const titles = useTranslations("titles");
  const may = useMay();
  const pages = entries.filter(({ goKey }) => goKey).filter(may);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-5">
      {/* First, because an opened sheet focuses its first field: at the end, it would scroll the keys out of view. */}
      <div className="mb-5 border-b border-kumo-hairline pb-5">
        <SingleKeysSwitch />
      </div>
      <Keys title={t("everywhere")}>
        <Key keys={[["Ctrl", "K"], ["/"]]}>{t("search")}</Key>
        {creations.some(may) && <Key keys={[["c"]]}>{t("create")}</Key>}
        <Key keys={[["e"]]}>{t("edit")}</Key>
        <Key keys={[["Ctrl", "Enter"]]}>{t("save")}</Key>
        <Key keys={[["?"]]}>{t("show")}</Key>
        <Key keys={[["Esc"]]}>{t("close")}</Key>
      </Keys>
      <Keys title={t("list")}>
        <Key keys={[["j"], ["↓"]]}>{t("next")}</Key>
        <Key keys={[["k"], ["↑"]]}>{t("previous")}</Key>
        <Key keys={[["Enter"]]}>{t("open")}</Key>
        <Key keys={[["x"]]}>{t("select")}</Key>
      </Keys>
      <Keys title={t("pages")}>
        {pages.map(({ href, title, goKey = "" }) => (
          <Key key={href} keys={[["g", goKey]]}>
            {titles(title)}
          </Key>
        ))}
      </Keys>
    </div>
  );
}

function Keys({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="pb-5">
      <h3 className="mb-2 text-sm font-medium text-kumo-subtle">{title}</h3>
      <dl className="grid gap-px">{children}</dl>
    </section>
  );
}

/** @param keys the alternatives, each of one or two keys */
function Key({ keys, children }: { keys: string[][]; children: ReactNode }) {
  const t = useTranslations("shell.keys");
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 text-base text-kumo-default">
      <dt>{children}</dt>
      <dd className="flex shrink-0 items-center gap-1.5">
        {keys.map((combination, index) => (
          <span key={combination.join("+")} className="flex items-center gap-1">
            {index > 0 && <span className="mr-0.5 text-sm text-kumo-subtle">{t("or")}</span>}
            {combination.map((key) => (
              <kbd
                key={key}
                className="grid h-6 min-w-6 place-items-center rounded-md bg-kumo-recessed px-1.5 font-sans text-xs font-medium text-kumo-default ring ring-kumo-line"
              >
                {key}
              </kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  );
}
