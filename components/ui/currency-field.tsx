import { type ComponentProps, useDeferredValue, useMemo } from "react";
import { useLocale, useTranslations } from "use-intl";
import { commonCurrencies, payableCurrencies } from "@/lib/core/currency-choices";
import { NativeSelect } from "./field";
import { formField } from "./form-fields";
import { useHydrated } from "./use-hydrated";

/**
 * "Euro" for EUR. The server's HTML has the code, because its names may differ from the browser's. Deferred: a list has some
 * 150 of them.
 */
export function useCurrencyName(): (code: string) => string {
  const { language } = new Intl.Locale(useLocale());
  const names = useMemo(() => new Intl.DisplayNames(language, { type: "currency" }), [language]);
  const hydrated = useDeferredValue(useHydrated());
  return (code) => (hydrated ? (names.of(code) ?? code) : code);
}

export const CurrencyField = formField(CurrencySelect);

interface CurrencySelectProps extends ComponentProps<"select"> {
  /** The currency that comes first. */
  own?: string;
}

/** The business's currency, the common ones, then all. Typing finds a code; the first groups repeat none of the list. */
function CurrencySelect({ own, ...props }: CurrencySelectProps) {
  const t = useTranslations("ui.currency");
  const nameOf = useCurrencyName();
  const first = new Set(own ? [own, ...commonCurrencies] : commonCurrencies);
  const options = (codes: Iterable<string>) =>
    Array.from(codes, (code) => (
      <option key={code} value={code}>
        {code}
        {nameOf(code) !== code && <> – {nameOf(code)}</>}
      </option>
    ));
  return (
    <NativeSelect {...props}>
      <optgroup label={t("common")}>{options(first)}</optgroup>
      <optgroup label={t("others")}>{options(payableCurrencies.filter((code) => !first.has(code)))}</optgroup>
    </NativeSelect>
  );
}
