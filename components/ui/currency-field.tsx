import { type ComponentProps, useMemo } from "react";
import { useLocale } from "use-intl";
import { currencies } from "@/lib/core/money";
import { NativeSelect } from "./field";
import { formField } from "./form-fields";
import { useHydrated } from "./use-hydrated";

/** "Euro" for EUR. The server's HTML has the code, because its names may differ from the browser's. */
export function useCurrencyName(): (code: string) => string {
  const { language } = new Intl.Locale(useLocale());
  const names = useMemo(() => new Intl.DisplayNames(language, { type: "currency" }), [language]);
  const hydrated = useHydrated();
  return (code) => (hydrated ? (names.of(code) ?? code) : code);
}

export const CurrencyField = formField(CurrencySelect);

function CurrencySelect(props: ComponentProps<"select">) {
  const nameOf = useCurrencyName();
  return (
    <NativeSelect {...props}>
      {currencies.map((code) => (
        <option key={code} value={code}>
          {code} – {nameOf(code)}
        </option>
      ))}
    </NativeSelect>
  );
}
