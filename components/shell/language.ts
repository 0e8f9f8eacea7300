import { languageCookie } from "@/messages/languages";
import { remember } from "./cookie";

export function chooseLanguage(language: string): void {
  remember(languageCookie, language);
  window.location.reload();
}
