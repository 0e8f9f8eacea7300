import { languageCookie } from "@/messages/languages";
import { savePreference } from "./cookie";

export function chooseLanguage(language: string): void {
  savePreference(languageCookie, language);
  window.location.reload();
}
