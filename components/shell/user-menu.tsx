"use client";

import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { useTranslations } from "use-intl";
import { onReach } from "@/components/ui/later";
import type { Language } from "@/messages/languages";
import type { Theme } from "./theme";

const Opened = onReach("menu", () => import("./user-menu-opened").then(({ UserMenuOpened }) => UserMenuOpened));

interface UserMenuProps {
  user: { name: string; email: string };
  theme: Theme;
  language: Language;
}

/** Whoever is signed in: how the dashboard looks, in which language, the account, and the way out. */
export function UserMenu(props: UserMenuProps) {
  const t = useTranslations("shell.userMenu");
  const { name } = props.user;
  const trigger = (
    <button
      type="button"
      className="flex h-9 items-center gap-2 rounded-full pr-2 pl-1 hover:bg-kumo-tint"
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
      <CaretDownIcon size={12} aria-hidden className="text-kumo-subtle" />
    </button>
  );
  return <Opened trigger={trigger} {...props} />;
}

/** "Ada Lovelace" -> "AL"; by code points, so that no letter is cut in half. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
