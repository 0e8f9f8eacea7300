import { languageCookie } from "@/messages/languages";

/** Remembers a language for a year and loads the page anew in it. */
export function chooseLanguage(language: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `${languageCookie}=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  window.location.reload();
}
