import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { FittedLogo } from "./fit-logo";

interface LogoPreviewProps {
  logo: FittedLogo;
  saving: boolean;
  onSave: () => void;
  onCancel: () => void;
}

/** The chosen logo as payers will see it, on their light and dark pages. The colours are those of lib/payer/style.ts. */
const pages = { light: "bg-[#f3f5f7] text-[#4d5b68]", dark: "bg-[#0e1418] text-[#a8b6c1]" } as const;

export function LogoPreview({ logo, saving, onSave, onCancel }: LogoPreviewProps) {
  const t = useTranslations("settings.logo");
  return (
    <div className="grid justify-items-start gap-3 rounded-xl p-4 ring ring-kumo-line">
      <div className="flex flex-wrap gap-3">
        {(["light", "dark"] as const).map((page) => (
          <figure key={page} className={`grid w-44 justify-items-start gap-2 rounded-lg p-3 ${pages[page]}`}>
            {/* biome-ignore lint/performance/noImgElement: pixels of this page */}
            <img
              src={logo.image}
              alt={t("chosen")}
              width={logo.width}
              height={logo.height}
              className="h-10 w-auto max-w-36 rounded-lg bg-white object-contain p-0.75"
            />
            <figcaption className="text-sm">{t(page)}</figcaption>
          </figure>
        ))}
      </div>
      <p className="text-sm text-kumo-subtle">
        {t("size", { width: String(logo.width), height: String(logo.height) })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={saving} onClick={onSave}>
          {t("save")}
        </Button>
        <Button variant="ghost" disabled={saving} onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </div>
  );
}
