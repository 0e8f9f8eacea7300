import type { About } from "@/lib/gateways/gateway";

/** An attempt on a link that belongs to no subscription. */
export const aboutLink = (linkId: string): About => ({
  linkId,
  subscriptionId: null,
  periodIndex: null,
  reference: null,
});
