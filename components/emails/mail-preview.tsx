import { useContext, useState } from "react";
import { useTranslations } from "use-intl";
import { OnPhone, useMedia } from "@/components/ui/use-media";

const views = ["phone", "desktop", "text"] as const;
type View = (typeof views)[number];

/** Renders the e-mail in a sandboxed frame: no scripts, another origin, and links open in a new window. */
export function MailPreview({ html, text, subject }: { html: string; text: string; subject: string }) {
  const t = useTranslations("emails.preview");
  const wide = useMedia("(min-width: 48rem)", !useContext(OnPhone));
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? (wide ? "desktop" : "phone");
  return (
    <section aria-label={t("label")} className="min-w-0">
      <fieldset className="mb-3">
        <legend className="sr-only">{t("shownAs")}</legend>
        <div className="inline-flex gap-1">
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setChosen(name)}
              className="h-8 rounded-full px-3 pointer-coarse:h-11 text-base whitespace-nowrap text-kumo-subtle hover:text-kumo-default aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-strong aria-pressed:shadow-xs aria-pressed:ring aria-pressed:ring-kumo-line"
            >
              {t(`views.${name}`)}
            </button>
          ))}
        </div>
      </fieldset>
      {view === "text" ? (
        <pre className="overflow-hidden rounded-xl bg-kumo-base p-4 font-mono text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap text-kumo-default ring ring-kumo-line">
          {text}
        </pre>
      ) : (
        <iframe
          title={t("title", { subject })}
          srcDoc={html}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          className={`h-[46rem] w-full rounded-xl ring ring-kumo-line ${view === "phone" ? "max-w-[22.5rem]" : ""}`}
        />
      )}
    </section>
  );
}
