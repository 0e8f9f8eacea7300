"use client";

import type { ReactNode } from "react";
import { IntlProvider } from "use-intl";
import type en from "@/messages/en";

interface TextsProps {
  /** What dates and numbers go by. */
  tag: string;
  messages: typeof en;
  children: ReactNode;
}

/** Gives every component below the texts of one language: useTranslations("team"). */
export function Texts({ tag, messages, children }: TextsProps) {
  return (
    <IntlProvider locale={tag} messages={messages} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}
