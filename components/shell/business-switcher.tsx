"use client";

import { CaretUpDownIcon } from "@phosphor-icons/react/dist/ssr/CaretUpDown";
import { useTranslations } from "use-intl";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import { useOwnBusinesses } from "@/lib/resources/account/queries";

const BusinessSwitcherPopup = onDemand(() =>
  import("./business-switcher-popup").then(({ BusinessSwitcherPopup }) => BusinessSwitcherPopup),
);

interface BusinessSwitcherProps {
  name: string;
  canCreate: boolean;
}

export function BusinessSwitcher({ name, canCreate }: BusinessSwitcherProps) {
  const t = useTranslations("shell.businessSwitcher");
  const businesses = useOwnBusinesses().data?.rows ?? [];
  const words = <span className="min-w-0 truncate text-base font-medium text-kumo-strong">{name}</span>;
  if (businesses.length < 2 && !canCreate) return words;
  const trigger = (
    <button
      type="button"
      className="-ml-2 flex h-9 pointer-coarse:h-11 min-w-0 items-center gap-1.5 rounded-lg px-2 hover:bg-kumo-tint"
      aria-label={t("label", { name })}
    >
      {words}
      <CaretUpDownIcon size={14} aria-hidden className="shrink-0 text-kumo-subtle" />
    </button>
  );
  return (
    <PopupButton opens="menu" trigger={trigger}>
      {(popup) => <BusinessSwitcherPopup {...popup} businesses={businesses} canCreate={canCreate} />}
    </PopupButton>
  );
}
