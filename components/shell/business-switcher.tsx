"use client";

import { CaretUpDownIcon } from "@phosphor-icons/react/dist/ssr/CaretUpDown";
import { useTranslations } from "use-intl";
import { onReach } from "@/components/ui/later";
import { useOwnBusinesses } from "@/lib/resources/account/queries";

const Opened = onReach("menu", () =>
  import("./business-switcher-opened").then(({ BusinessSwitcherOpened }) => BusinessSwitcherOpened),
);

interface BusinessSwitcherProps {
  name: string;
  /** Whether another business can be made here. */
  canCreate: boolean;
}

/** The business that the page shows, and the way to the others and to a new one. */
export function BusinessSwitcher({ name, canCreate }: BusinessSwitcherProps) {
  const t = useTranslations("shell.businessSwitcher");
  const businesses = useOwnBusinesses().data?.rows ?? [];
  const words = <span className="min-w-0 truncate text-base font-medium text-kumo-strong">{name}</span>;
  if (businesses.length < 2 && !canCreate) return words;
  const trigger = (
    <button
      type="button"
      className="-ml-2 flex h-9 min-w-0 items-center gap-1.5 rounded-lg px-2 hover:bg-kumo-tint"
      aria-label={t("label", { name })}
    >
      {words}
      <CaretUpDownIcon size={14} aria-hidden className="shrink-0 text-kumo-subtle" />
    </button>
  );
  return <Opened trigger={trigger} businesses={businesses} canCreate={canCreate} />;
}
