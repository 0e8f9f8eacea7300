"use client";

import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { useTranslations } from "use-intl";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import type { Language } from "@/messages/languages";

const UserMenuPopup = onDemand(() => import("./user-menu-popup").then(({ UserMenuPopup }) => UserMenuPopup));

interface UserMenuProps {
  user: { name: string; email: string };
  language: Language;
}

export function UserMenu(props: UserMenuProps) {
  const t = useTranslations("shell.userMenu");
  const { name } = props.user;
  const trigger = (
    <button
      type="button"
      className="flex h-9 items-center gap-2 rounded-full pl-1 max-sm:pr-1 sm:pr-2 pointer-coarse:h-11 max-sm:pointer-coarse:-mr-2 max-sm:pointer-coarse:px-2 hover:bg-kumo-tint"
      aria-label={t("label", { name })}
    >
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full bg-kumo-brand text-xs font-semibold text-white"
      >
        {initials(name)}
      </span>
      <span aria-hidden className="hidden max-w-40 truncate text-base sm:block">
        {name}
      </span>
      <CaretDownIcon size={12} aria-hidden className="text-kumo-subtle max-sm:hidden" />
    </button>
  );
  return (
    <PopupButton opens="menu" trigger={trigger}>
      {(popup) => <UserMenuPopup {...popup} {...props} />}
    </PopupButton>
  );
}

/** "Ada Lovelace" -> "AL". By code points, so that it does not split an emoji. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
