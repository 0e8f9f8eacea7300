import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { createTranslator, type NamespaceKeys, type NestedKeyOf } from "use-intl/core";
import type en from "@/messages/en";
import { languageCookie, pickLanguage, tagOf } from "./languages";
import { load } from "./load";

/** The language and texts of the rendered page. */
export const chosenTexts = cache(async () => {
  const chosen = (await cookies()).get(languageCookie)?.value;
  const language = pickLanguage(chosen, (await headers()).get("accept-language"));
  return { language, tag: tagOf(language), messages: await load(language) };
});

/** What useTranslations is on the server: `const t = await texts("team")`. */
export async function texts<Namespace extends NamespaceKeys<typeof en, NestedKeyOf<typeof en>>>(namespace: Namespace) {
  const { tag, messages } = await chosenTexts();
  return createTranslator({ locale: tag, messages, namespace });
}

/** A page's generateMetadata with a title of the catalogue. */
export const titled = (key: keyof (typeof en)["titles"]) => async (): Promise<Metadata> => ({
  title: (await texts("titles"))(key),
});
