import { useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { PayForm } from "@/components/payer/pay-form";
import { isCurrency } from "@/lib/core/money";
import { publicStyle } from "@/lib/payer/style";
import { plainBrand } from "@/lib/resources/settings/brand";
import { brandStyle } from "@/lib/resources/settings/colour";
import { brandOf, type Settings } from "@/lib/resources/settings/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { toCents } from "./amount";

interface PayPreviewProps {
  amount: string;
  currency: string;
  title: string;
  description: string;
  /** Unsaved settings; the saved ones unless given. */
  business?: Settings;
}

const empty = '<!doctype html><html lang="en"><head><title>Preview of the pay page</title></head><body></body></html>';

/**
 * Renders the pay page's own component in a frame without scripts or input. Hidden from screen readers: the form has
 * the same texts.
 */
export function PayPreview({ amount, currency, title, description, business }: PayPreviewProps) {
  const t = useTranslations("paymentLinks.preview");
  const [body, setBody] = useState<HTMLElement | null>(null);
  const { data: saved } = useSettings();
  const settings = business ?? saved;
  const cents = Number(toCents(amount) ?? 0);
  return (
    <div className="min-h-0 flex-1 overflow-hidden p-5" aria-hidden inert>
      <iframe
        title={t("frame")}
        sandbox="allow-same-origin"
        srcDoc={empty}
        tabIndex={-1}
        onLoad={({ currentTarget }) => setBody(currentTarget.contentDocument?.body ?? null)}
        className="pointer-events-none size-full rounded-xl bg-kumo-base ring ring-kumo-line"
      />
      {body &&
        createPortal(
          <>
            <style>{publicStyle + brandStyle(settings?.brand_colour ?? null)}</style>
            <PayForm
              cardForm
              link={{
                ...blank,
                business_name: settings?.name || t("business"),
                brand: settings ? brandOf(settings) : plainBrand,
                amount_cents: Number.isSafeInteger(cents) ? cents : 0,
                currency: isCurrency(currency) ? currency : "EUR",
                title: title.trim() || t("title"),
                description: description.trim() || null,
              }}
            />
          </>,
          body,
        )}
    </div>
  );
}

const blank = {
  id: "",
  livemode: true,
  status: "Active",
  redirect_url: null,
  expires_at: null,
  paid_at: null,
  deleted_at: null,
  business_timezone: "UTC",
  attempt_id: null,
  attempt_status: null,
  attempt_reason: null,
  attempt_age: null,
  card_brand: null,
  card_last4: null,
  receipt_token: null,
  email: "",
  business_id: 0,
  gateway_account_id: null,
  clock_ahead: 0,
};
