import { useTimeZone } from "use-intl";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { CreatePaymentLink } from "./create-payment-link";
import { valuesOf } from "./form-values";

/** The form of a new link with another one's values, without the expiry, which may have passed. */
export function DuplicatePaymentLink({ link, onDone }: { link: PaymentLink; onDone: () => void }) {
  const zone = useTimeZone() ?? "UTC";
  const initial = { ...valuesOf(link, zone), expires_at: "" };
  return <CreatePaymentLink currency={link.currency} initial={initial} onDone={onDone} />;
}
