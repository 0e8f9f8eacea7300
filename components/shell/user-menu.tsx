"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { DesktopIcon } from "@phosphor-icons/react/dist/ssr/Desktop";
import { MoonIcon } from "@phosphor-icons/react/dist/ssr/Moon";
import { SignOutIcon } from "@phosphor-icons/react/dist/ssr/SignOut";
import { SunIcon } from "@phosphor-icons/react/dist/ssr/Sun";
import { UserCircleIcon } from "@phosphor-icons/react/dist/ssr/UserCircle";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { signOut } from "next-auth/react";
import { useRef, useState } from "react";
import { applyTheme, isTheme, type Theme } from "./theme";

const choices = [
  { value: "system", label: "System", icon: DesktopIcon },
  { value: "light", label: "Light", icon: SunIcon },
  { value: "dark", label: "Dark", icon: MoonIcon },
] as const satisfies { value: Theme; label: string; icon: unknown }[];

export function UserMenu({ user, theme: initial }: { user: { name: string; email: string }; theme: Theme }) {
  const [theme, setTheme] = useState(initial);
  const toasts = useKumoToastManager();
  const cache = useQueryClient();
  const router = useRouter();
  // The menu opens inside the header, a landmark, and not at the body's end, where menus go by default.
  const landmark = useRef<HTMLDivElement>(null);

  function choose(value: unknown): void {
    if (!isTheme(value)) return;
    setTheme(value);
    applyTheme(value);
  }

  async function leave(): Promise<void> {
    try {
      await signOut({ redirect: false });
      cache.clear();
      window.location.assign("/login");
    } catch {
      toasts.add({ title: "You are still signed in", description: "Signing out did not work. Please try again." });
    }
  }

  return (
    <div ref={landmark}>
      <DropdownMenu>
        <DropdownMenu.Trigger
          className="flex h-9 items-center gap-2 rounded-full pr-2 pl-1 hover:bg-kumo-tint"
          aria-label={`Account of ${user.name}`}
        >
          <span
            aria-hidden
            className="grid size-7 place-items-center rounded-full bg-kumo-brand text-xs font-semibold text-white"
          >
            {initials(user.name)}
          </span>
          <span aria-hidden className="hidden max-w-40 truncate text-base sm:block">
            {user.name}
          </span>
          <CaretDownIcon size={12} aria-hidden className="text-kumo-subtle" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content align="end" className="max-w-[min(18rem,calc(100vw-2rem))] min-w-56" container={landmark}>
          <div className="px-2 py-1.5">
            <div className="truncate text-base font-medium text-kumo-strong">{user.name}</div>
            <div className="truncate text-sm text-kumo-subtle">{user.email}</div>
          </div>
          <DropdownMenu.Separator />
          <DropdownMenu.Group>
            <DropdownMenu.Label>Appearance</DropdownMenu.Label>
            <DropdownMenu.RadioGroup value={theme} onValueChange={choose}>
              {choices.map(({ value, label, icon }) => (
                <DropdownMenu.RadioItem key={value} value={value} icon={icon} closeOnClick={false}>
                  {label}
                  <DropdownMenu.RadioItemIndicator />
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Group>
          <DropdownMenu.Separator />
          <DropdownMenu.Item icon={UserCircleIcon} onClick={() => router.push("/account")}>
            Your account
          </DropdownMenu.Item>
          <DropdownMenu.Item icon={SignOutIcon} onClick={() => void leave()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu>
    </div>
  );
}

/** "Ada Lovelace" -> "AL"; by code points, so that no letter is cut in half. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
