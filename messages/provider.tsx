"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { IntlProvider } from "use-intl";
import type en from "@/messages/en";
import { type Language, pseudoLanguage } from "./languages";

interface ProviderProps {
  /** What dates and numbers go by. */
  tag: string;
  children: ReactNode;
}

const providerOf =
  (messages: typeof en) =>
  ({ tag, children }: ProviderProps) => (
    <IntlProvider locale={tag} messages={messages} timeZone="UTC">
      {children}
    </IntlProvider>
  );

/** The texts are a script of each language, which browsers cache: in the HTML they would be a quarter of each page. */
const providers = {
  en: dynamic(() => import("./en/compiled").then((texts) => providerOf(texts.default))),
};

interface TextsProps extends ProviderProps {
  language: Language;
  /** Instead of a script: of the accented English, which only developers see. */
  messages?: typeof en;
}

/** Gives every component below the texts of one language: useTranslations("team"). */
export function Texts({ language, messages, tag, children }: TextsProps) {
  if (language === pseudoLanguage)
    return (
      <IntlProvider locale={tag} messages={messages} timeZone="UTC">
        {children}
      </IntlProvider>
    );
  const Provider = providers[language];
  return <Provider tag={tag}>{children}</Provider>;
}
