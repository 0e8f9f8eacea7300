import { readCommon } from "@/components/shell/list/use-list-address";
import { paymentLinkStatuses } from "@/lib/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/payment-links/queries";

/** What the page's address says to show; what it cannot mean is left out. */
export const readFilter = (params: URLSearchParams): PaymentLinkFilter => readCommon(params, paymentLinkStatuses);
