import { type PaymentLink, paymentLinkStatuses } from "@/lib/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/payment-links/queries";

const isStatus = (value: string | null): value is PaymentLink["status"] =>
  paymentLinkStatuses.some((status) => status === value);

/** What the page's address says to show; what it cannot mean is left out. */
export function readFilter(params: URLSearchParams): PaymentLinkFilter {
  const status = params.get("status");
  const q = params.get("q")?.slice(0, 200).trim();
  const cursor = params.get("cursor");
  return { ...(isStatus(status) && { status }), ...(q && { q }), ...(cursor && { cursor }) };
}

/** The page's address for a filter. */
export function filterPath(path: string, filter: PaymentLinkFilter): string {
  const params = new URLSearchParams();
  for (const name of ["status", "q", "cursor"] as const) {
    const value = filter[name];
    if (value) params.set(name, value);
  }
  return params.size > 0 ? `${path}?${params}` : path;
}
