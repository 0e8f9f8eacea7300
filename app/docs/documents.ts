import { createElement, type ReactElement } from "react";
import { isLanguage, type Language } from "@/components/reference/samples";
import { script } from "@/components/reference/script";
import { referenceStyle } from "@/components/reference/style";
import { env } from "@/lib/core/env";
import type { Incoming } from "@/lib/core/incoming";
import type { Reply } from "@/lib/http/reply";
import { documentResponse } from "@/lib/payer/document";

export const baseUrl = (): string => `${env().APP_URL}/api`;

const cookieName = "paydesk-docs-language";

/** Remembers the language of the samples for a year. */
export const rememberLanguage = (language: Language): string =>
  `${cookieName}=${language}; Path=/docs; Max-Age=31536000; SameSite=Lax; HttpOnly`;

/** As the address says, else as chosen before. */
function languageOf(request: Incoming): { language: Language; chosen: boolean } {
  const asked = new URL(request.url, "http://localhost").searchParams.get("language");
  if (isLanguage(asked)) return { language: asked, chosen: true };
  const [, stored] = new RegExp(`(?:^|; )${cookieName}=(\\w+)`).exec(request.headers.get("cookie") ?? "") ?? [];
  return { language: isLanguage(stored) ? stored : "curl", chosen: false };
}

const pages = new Map<string, Promise<Reply>>();

/** A page of the reference in the reader's language, rendered once for each. */
export async function referenceDocument(
  request: Incoming,
  name: string,
  title: string,
  page: (language: Language) => ReactElement,
): Promise<Reply> {
  const { language, chosen } = languageOf(request);
  const id = `${name} ${language}`;
  const rendered = pages.get(id) ?? render(title, page(language));
  pages.set(id, rendered);
  const reply = await rendered;
  return chosen ? { ...reply, headers: { ...reply.headers, "Set-Cookie": rememberLanguage(language) } } : reply;
}

async function render(title: string, body: ReactElement): Promise<Reply> {
  const page = { status: 200, title: `${title} · Paydesk API`, style: referenceStyle, script };
  const reply = await documentResponse({ ...page, body: createElement("div", { className: "page" }, body) });
  return { ...reply, body: String(reply.body) }; // a text is compressed once (server/compress.ts)
}
