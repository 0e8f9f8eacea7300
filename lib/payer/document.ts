import { createHash } from "node:crypto";
import type { ReactElement } from "react";
import type { PageLanguage } from "@/lib/core/payer-languages";
import type { Reply } from "@/lib/http/reply";
import type { Brand } from "@/lib/resources/settings/brand";
import { brandStyle } from "@/lib/resources/settings/colour";
import { publicStyle } from "./style";
import { fill, type Template } from "./template";

export type Document = {
  status: number;
  /** English by default. */
  language?: PageLanguage;
  title: string;
  body: ReactElement | Template;
  form?: boolean;
  /** Refresh header: a path of ours, or the merchant's stored redirect URL. */
  refresh?: { seconds: number; url: string };
  headers?: Record<string, string>;
  style?: string;
  /** Only the API reference has one; payers' pages have none. It may load texts from this site. */
  script?: string;
  brand?: Brand;
};

/** The document up to its title's text. */
type Start = { hash: string; start: Buffer };

/** How many document heads are cached, 10 kB each. There is one for each language and style sheet, and each brand colour has its own sheet. */
const maxStarts = 200;
const starts = new Map<string, Start>();

function startOf(language: PageLanguage, style: string): Start {
  const key = language + style;
  let styled = starts.get(key);
  if (!styled) {
    const start = [
      `<!doctype html><html lang="${language}"><head>`,
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex, nofollow">',
      '<meta name="referrer" content="no-referrer">',
      '<meta name="color-scheme" content="light dark">',
      '<meta name="format-detection" content="telephone=no">',
      `<style>${style}</style><title>`,
    ].join("");
    styled = { hash: hashOf(style), start: Buffer.from(start) };
    if (starts.size >= maxStarts) starts.clear();
    starts.set(key, styled);
  }
  return styled;
}

const end = Buffer.from("</body></html>");

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? "");

// Next.js forbids a static import of react-dom/server in a route. The promise is cached, because importing for each
// page cost more than rendering it.
let imported: Promise<typeof import("react-dom/server")> | undefined;
function renderer() {
  imported ??= import("react-dom/server");
  return imported;
}

/**
 * Renders an HTML page. Its policy allows only its own inline style and script, a form to this site, and this site's
 * images.
 */
export async function documentResponse(page: Document): Promise<Reply> {
  const { renderToStaticMarkup } = await renderer();
  const { hash, start } = startOf(
    page.language ?? "en",
    (page.style ?? publicStyle) + brandStyle(page.brand?.brand_colour ?? null),
  );
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    ...(page.script ? [`script-src 'sha256-${hashOf(page.script)}'`, "connect-src 'self'"] : []),
    "img-src 'self'", // the business's logo, and the favicon that browsers request
    `form-action ${page.form ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const headers: Record<string, string> = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
    ...page.headers,
  };
  const content =
    "render" in page.body ? fill(page.body, renderToStaticMarkup) : [Buffer.from(renderToStaticMarkup(page.body))];
  if (page.refresh) headers.Refresh = `${page.refresh.seconds}; url=${page.refresh.url}`;
  const title = Buffer.from(`${escapeText(page.title)}</title></head><body>`);
  const script = page.script ? [Buffer.from(`<script>${page.script}</script>`)] : [];
  return { status: page.status, headers, body: Buffer.concat([start, title, ...content, ...script, end]) };
}

/** Redirects after a form's POST. Never to another origin (docs/decisions/0002). */
export function seeOther(path: `/${string}`): Reply {
  const headers = { Location: path, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };
  return { status: 303, headers, body: null };
}

/**
 * Makes a merchant's stored URL safe for headers and links; null unless http(s). The URL parser's output is ASCII
 * without spaces, line ends or quotes.
 */
export function safeUrl(stored: string | null): string | null {
  if (!stored || !URL.canParse(stored)) return null;
  const url = new URL(stored);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
