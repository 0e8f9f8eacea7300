"use client";

import { InfoIcon } from "@phosphor-icons/react/dist/ssr/Info";
import { useTranslations } from "use-intl";
import { When } from "@/components/ui/when";
import { useHeldSettings } from "@/lib/resources/settings/queries";
import { useMay } from "./may";

/** Of marking a link as paid. Its contract would be a dozen kilobytes of every page's script. */
const markAsPaid = { scope: "manual_payments:write" } as const;

/** While a restored database is held. In the page's flow, not in the sticky header, because it is several lines on a phone. */
export function HeldBar() {
  const t = useTranslations("shell.held");
  const may = useMay();
  const at = useHeldSettings().data?.held_backup_at;
  if (!at) return null;
  return (
    <section
      aria-label={t("label")}
      className="flex items-start gap-2 border-b border-kumo-hairline bg-kumo-tint px-4 py-2 text-sm text-kumo-default md:px-6"
    >
      <InfoIcon size={16} className="mt-px shrink-0 text-kumo-subtle" aria-hidden />
      <p className="min-w-0 max-w-4xl">
        {t.rich("text", { when: () => <When at={at} /> })} {t(may(markAsPaid) ? "check" : "ask")}
      </p>
    </section>
  );
}
