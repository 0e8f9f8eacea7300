import { createHash } from "node:crypto";
import type { ReactElement } from "react";
import { TextResponse } from "@/lib/http/text-response";
import type { Brand } from "@/lib/resources/settings/brand";
import { brandStyle } from "@/lib/resources/settings/colour";
import { publicStyle } from "./style";

export type Document = {
  status: number;
  title: string;
  body: ReactElement;
  /** Whether the page has a form (of ours, answered by us); a page without one may send nothing anywhere. */
  form?: boolean;
  /** Goes on by itself: to a path of ours, or to a stored address of the merchant's. */
  refresh?: { seconds: number; url: string };
  headers?: Record<string, string>;
  style?: string;
  /** Whose colour it bears. */
  brand?: Brand;
};

type Sheet = { hash: string; head: string };

/** As many as there are looks and colours in use at a time: 10 kB each. */
const mostSheets = 200;
const sheets = new Map<string, Sheet>();

/** What the documents of one look share, put together once. */
function sheetOf(style: string): Sheet {
  let sheet = sheets.get(style);
  if (!sheet) {
    const head = [
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex, nofollow">',
      '<meta name="referrer" content="no-referrer">',
      '<meta name="color-scheme" content="light dark">',
      '<meta name="format-detection" content="telephone=no">',
      `<style>${style}</style>`,
    ].join("");
    sheet = { hash: createHash("sha256").update(style).digest("base64"), head };
    if (sheets.size >= mostSheets) sheets.clear();
    sheets.set(style, sheet);
  }
  return sheet;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? "");

// The framework forbids a static import of this in a route's module graph. Kept, since importing anew for each page cost
// more than the page.
let imported: Promise<typeof import("react-dom/server")> | undefined;
function renderer() {
  imported ??= import("react-dom/server");
  return imported;
}

/**
 * One whole HTML page as a response, with no script in it and nothing allowed but its own inline style, its own form and this
 * site's images.
 */
export async function documentResponse(page: Document): Promise<Response> {
  const { renderToStaticMarkup } = await renderer();
  const { hash, head } = sheetOf((page.style ?? publicStyle) + brandStyle(page.brand?.brand_colour ?? null));
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self'", // its business's logo, and the icon that browsers ask for by themselves
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
  if (page.refresh) headers.Refresh = `${page.refresh.seconds}; url=${page.refresh.url}`;
  const html =
    `<!doctype html><html lang="en"><head>${head}<title>${escapeText(page.title)}</title></head>` +
    `<body>${renderToStaticMarkup(page.body)}</body></html>`;
  return new TextResponse(html, { status: page.status, headers });
}

/** Sends a browser on to a path of this site by GET, after a form's POST. Never to another origin (docs/decisions/0002). */
export function seeOther(path: `/${string}`): Response {
  const headers = { Location: path, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };
  return new Response(null, { status: 303, headers });
}

/**
 * A stored address of the merchant's as it may stand in a header and a link; null for anything but http(s). The URL
 * parser's serialisation is plain ASCII without spaces, line ends or quotes.
 */
export function safeUrl(stored: string | null): string | null {
  if (!stored || !URL.canParse(stored)) return null;
  const url = new URL(stored);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
