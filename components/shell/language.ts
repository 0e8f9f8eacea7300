import { languageCookie } from "@/messages/languages";
import { remember } from "./cookie";

/** Remembers a language for a year and loads the page anew in it. */
export function chooseLanguage(language: string): void {
  remember(languageCookie, language);
  window.location.reload();
}
