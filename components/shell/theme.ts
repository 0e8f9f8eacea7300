import { remember } from "./cookie";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** A cookie rather than local storage: the server renders the choice, so that no page flashes in the other colours. */
export const themeCookie = "paydesk-theme";

export const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

/** Applies a choice at once and remembers it for a year. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.mode;
  else document.documentElement.dataset.mode = theme;
  remember(themeCookie, theme);
}
