export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** A cookie rather than local storage: the server renders the choice, so that no page flashes in the other colours. */
export const themeCookie = "paydesk-theme";

export const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

/** Applies a choice at once and remembers it for a year. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.mode;
  else document.documentElement.dataset.mode = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `${themeCookie}=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
