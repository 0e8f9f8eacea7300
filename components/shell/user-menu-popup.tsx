import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { DesktopIcon } from "@phosphor-icons/react/dist/ssr/Desktop";
import { MoonIcon } from "@phosphor-icons/react/dist/ssr/Moon";
import { SignOutIcon } from "@phosphor-icons/react/dist/ssr/SignOut";
import { SunIcon } from "@phosphor-icons/react/dist/ssr/Sun";
import { UserCircleIcon } from "@phosphor-icons/react/dist/ssr/UserCircle";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { MenuPopup } from "@/components/ui/menu-popup";
import type { PopupProps } from "@/components/ui/popup-button";
import { mayLeave } from "@/components/ui/unsaved";
import { type Language, languages, pseudoLanguage } from "@/messages/languages";
import { useSignOut } from "./end-session";
import { chooseLanguage } from "./language";
import { applyTheme, currentTheme, isTheme, type Theme } from "./theme";

const choices = [
  { value: "system", icon: DesktopIcon },
  { value: "light", icon: SunIcon },
  { value: "dark", icon: MoonIcon },
] as const satisfies { value: Theme; icon: unknown }[];

const offered: { value: Language; name: string }[] = Object.entries(languages).map(([value, { name }]) => ({
  value: value as keyof typeof languages,
  name,
}));

interface UserMenuPopupProps extends PopupProps {
  user: { name: string; email: string };
  language: Language;
}

export function UserMenuPopup({ user, language, ...popup }: UserMenuPopupProps) {
  const t = useTranslations("shell.userMenu");
  const [theme, setTheme] = useState(currentTheme);
  const router = useRouter();
  const signOut = useSignOut();

  function choose(value: unknown): void {
    if (!isTheme(value)) return;
    setTheme(value);
    applyTheme(value);
  }

  return (
    <MenuPopup {...popup} align="end" className="max-w-[min(18rem,calc(100vw-2rem))] min-w-56">
      <div className="px-2 py-1.5">
        <div className="truncate text-base font-medium text-kumo-strong">{user.name}</div>
        <div className="truncate text-sm text-kumo-subtle">{user.email}</div>
      </div>
      <DropdownMenu.Separator />
      <DropdownMenu.Group>
        <DropdownMenu.Label>{t("appearance")}</DropdownMenu.Label>
        <DropdownMenu.RadioGroup value={theme} onValueChange={choose}>
          {choices.map(({ value, icon }) => (
            <DropdownMenu.RadioItem key={value} value={value} icon={icon} closeOnClick={false}>
              {t(`theme.${value}`)}
              <DropdownMenu.RadioItemIndicator />
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      </DropdownMenu.Group>
      <DropdownMenu.Separator />
      {(offered.length > 1 || language === pseudoLanguage) && (
        <>
          <DropdownMenu.Group>
            <DropdownMenu.Label>{t("language")}</DropdownMenu.Label>
            <DropdownMenu.RadioGroup value={language} onValueChange={chooseLanguage}>
              {offered.map(({ value, name }) => (
                <DropdownMenu.RadioItem key={value} value={value} lang={value}>
                  {name}
                  <DropdownMenu.RadioItemIndicator />
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Group>
          <DropdownMenu.Separator />
        </>
      )}
      <DropdownMenu.Item
        icon={UserCircleIcon}
        onClick={() => void mayLeave().then((yes) => yes && router.push("/account"))}
      >
        {t("account")}
      </DropdownMenu.Item>
      <DropdownMenu.Item icon={SignOutIcon} onClick={() => void signOut()}>
        {t("signOut")}
      </DropdownMenu.Item>
    </MenuPopup>
  );
}
