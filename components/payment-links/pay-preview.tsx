import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { PayForm } from "@/components/payer/pay-form";
import { moneyWords, taxWords } from "@/components/payer/words";
import { useMode } from "@/components/shell/may";
import { amountBounds, isCurrency } from "@/lib/core/money";
import type { PayerLanguage } from "@/lib/core/payer-languages";
import { toPercent } from "@/lib/core/tax";
import { toCents } from "@/lib/core/typed-amount";
import { publicStyle } from "@/lib/payer/style";
import { brandOf, plainBrand } from "@/lib/resources/settings/brand";
import { brandStyle } from "@/lib/resources/settings/colour";
import type { Settings } from "@/lib/resources/settings/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { loadPayerTexts } from "@/messages/payer/load-texts";
import type { PayerTexts } from "@/messages/payer/texts";

interface PayPreviewProps {
  amount: string;
  /** The tax rate in percent, as typed; blank without a tax. */
  taxPercent?: string;
  currency: string;
  title: string;
  description: string;
  /** The payer's language; English unless given. */
  language?: PayerLanguage;
  /** Unsaved settings; the saved ones unless given. */
  business?: Settings;
}

const empty = '<!doctype html><html lang="en"><head><title>Preview of the pay page</title></head><body></body></html>';

/**
 * Renders the pay page's own component in a frame without scripts or input. Hidden from screen readers: the form has
 * the same texts.
 */
export function PayPreview({
  amount,
  taxPercent = "",
  currency,
  title,
  description,
  language = "en",
  business,
}: PayPreviewProps) {
  const t = useTranslations("paymentLinks.preview");
  const mode = useMode();
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [texts, setTexts] = useState<PayerTexts | null>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  // A frame of the server's HTML may have loaded before hydration.
  useEffect(() => {
    const loaded = frame.current?.contentDocument;
    if (loaded?.URL === "about:srcdoc" && loaded.readyState === "complete") setBody(loaded.body);
  }, []);
  useEffect(() => {
    let wanted = true;
    loadPayerTexts(language).then(
      (loaded) => wanted && setTexts(loaded),
      () => {}, // without a connection the preview stays as it is
    );
    return () => {
      wanted = false;
    };
  }, [language]);
  const { data: saved } = useSettings();
  const settings = business ?? saved;
  const shownCurrency = isCurrency(currency) ? currency : "EUR";
  const typedCents = Number(toCents(amount, shownCurrency, amountBounds) ?? 0);
  const cents = Number.isSafeInteger(typedCents) ? typedCents : 0;
  const percent = toPercent(taxPercent);
  const tax_basis_points = percent === null ? null : Math.round(Number(percent) * 100);
  return (
    <div className="min-h-0 flex-1 overflow-hidden p-5" aria-hidden inert>
      <iframe
        ref={frame}
        title={t("frame")}
        sandbox="allow-same-origin"
        srcDoc={empty}
        tabIndex={-1}
        onLoad={({ currentTarget }) => setBody(currentTarget.contentDocument?.body ?? null)}
        className="pointer-events-none size-full rounded-xl bg-kumo-base ring ring-kumo-line"
      />
      {body &&
        texts &&
        createPortal(
          <>
            <style>{publicStyle + brandStyle(settings?.brand_colour ?? null)}</style>
            <PayForm
              t={texts}
              cardForm={mode === "test"} // live cards are entered at the gateway
              awaiting={false}
              merchant={{
                business: settings?.name || t("business"),
                testmode: false,
                brand: settings ? brandOf(settings) : plainBrand,
              }}
              link={{
                id: "",
                title: title.trim() || t("title"),
                description: description.trim() || null,
                amount: moneyWords(texts, cents, shownCurrency),
                tax: taxWords(texts, { amount_cents: cents, currency: shownCurrency, tax_basis_points }),
                amount_cents: "",
                currency: shownCurrency,
                tax_basis_points: null,
                transfer_path: settings?.bank_iban ? "#" : null,
              }}
            />
          </>,
          body,
        )}
    </div>
  );
}
