import { serve, unknown } from "@/app/(public)/serve";
import { problemDocument } from "@/components/payer/general-documents";
import { findLogo } from "@/lib/resources/settings/logo";

/** The URL contains the image's hash, so browsers may cache it for ever. Mail programs load it from other origins. */
const headers = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Disposition": "inline",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (request, params) => {
    const { business, hash } = params;
    const logo = await findLogo(String(business), String(hash));
    if (!logo) return unknown(request, problemDocument("page_unknown", "en"));
    return { status: 200, headers: { ...headers, "Content-Type": logo.type }, body: logo.content };
  },
});
