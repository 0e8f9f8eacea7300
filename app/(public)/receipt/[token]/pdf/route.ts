import { languageOf, serve, unknown } from "@/app/(public)/serve";
import { problemDocument } from "@/components/payer/general-documents";
import { findReceipt } from "@/lib/payer/receipt";
import { printReceipt } from "@/lib/payer/receipt-printer";
import { currentLogo } from "@/lib/resources/settings/logo";

const headers = {
  "Content-Type": "application/pdf",
  "Content-Security-Policy": "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (request, params) => {
    const language = languageOf(request);
    const receipt = await findReceipt(String(params.token), language);
    if (!receipt) return unknown(request, problemDocument("receipt_unknown", language));
    const filename = `receipt-${receipt.payment_id.slice(-8)}.pdf`;
    const named = { ...headers, "Content-Disposition": `inline; filename="${filename}"` };
    if (request.method === "HEAD") return { status: 200, headers: named, body: null }; // skip rendering
    const body = await printReceipt({ receipt, logo: await currentLogo(receipt.brand) });
    return { status: 200, headers: named, body };
  },
});
