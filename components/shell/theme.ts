import { savePreference } from "./cookie";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** A cookie, so that the server renders the theme and no page flashes in the other one. */
export const themeCookie = "paydesk-theme";

export const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

/** The theme that the page shows. Browser only. */
export function currentTheme(): Theme {
  const { mode } = document.documentElement.dataset;
  return isTheme(mode) ? mode : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.mode;
  else document.documentElement.dataset.mode = theme;
  savePreference(themeCookie, theme);
}
